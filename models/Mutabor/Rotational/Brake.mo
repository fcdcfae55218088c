within Mutabor.Rotational;
model Brake "Brake with dry friction"
  extends TwoFlanges;
  extends DryFriction;
  parameter Units.Torque tau_max = 1 "Torque while it slips, pressed with full force";
  Blocks.RealInput pressure(unit = "1") "Force on the brake, as a share of the full force" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  flange_a.phi = flange_b.phi;
  flange_a.tau + flange_b.tau = tau;
  w_rel = der(flange_a.phi);
  tau_slip = tau_max*max(pressure, 0);
  annotation(
    Documentation(info = "<html><p>Brakes the shaft against the ground and holds it, until the torque becomes too large.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 10}, {90, -10}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-30, 40}, {30, 15}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-30, -15}, {30, -40}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{0, 100}, {0, 40}}, color = {0, 0, 127})}));
end Brake;
