within Mutabor.Rotational;
model IdealClutch "Clutch that locks ideally"
  extends Compliant;
  Blocks.BooleanInput engaged "True: both flanges have the same speed" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
  Units.AngularVelocity w_rel "Speed of flange_b against flange_a";
equation
  w_rel = der(phi_rel);
  if engaged then
    w_rel = 0;
  else
    tau = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Engaged, the flanges turn with the same speed, at the angle that they had; otherwise there is no torque. Inertias on both sides
lose one state when the clutch locks: their speeds become one, such that angular momentum is conserved, and the torque has an impulse.
Connect a signal with <code>engaged</code>, or write the condition down: <code>IdealClutch c(engaged = time &gt;= 1)</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-40, 60}, {-20, -60}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 60}, {40, -60}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-40, 0}}),
      Line(points = {{40, 0}, {90, 0}}),
      Line(points = {{0, 100}, {0, 60}}, color = {255, 0, 255}, pattern = LinePattern.Dash)}));
end IdealClutch;
