within Mutabor.Rotational;
model Damper "Linear damper"
  extends Compliant;
  parameter Units.RotationalDampingConstant d = 1 "Damping";
  Units.AngularVelocity w_rel "Speed of flange_b against flange_a";
equation
  w_rel = der(phi_rel);
  tau = d*w_rel;
  annotation(
    Documentation(info = "<html><p><code>tau = d*der(phi_rel)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-20, 0}}),
      Line(points = {{-40, 30}, {30, 30}, {30, -30}, {-40, -30}}),
      Line(points = {{-20, 20}, {-20, -20}}),
      Line(points = {{30, 0}, {90, 0}}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "d=%d")}));
end Damper;
