within Mutabor.Rotational;
model FrictionClutch "Clutch with dry friction"
  extends Compliant;
  extends DryFriction;
  parameter Units.Torque tau_max = 1 "Torque while it slips, pressed with full force";
  Blocks.RealInput pressure(unit = "1") "Force on the discs, as a share of the full force" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  w_rel = der(phi_rel);
  tau_slip = tau_max*max(pressure, 0);
  annotation(
    Documentation(info = "<html><p>Slips until the speeds are equal, then sticks until the torque becomes too large. With <code>pressure = 0</code> it is open.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-30, 60}, {-10, -60}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{10, 60}, {30, -60}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{0, 100}, {0, 60}}, color = {0, 0, 127})}));
end FrictionClutch;
