within Mutabor.Translational;
model Damper "Linear damper"
  extends Compliant;
  parameter Units.TranslationalDampingConstant d = 1 "Damping";
  Units.Velocity v_rel "Velocity of flange_b against flange_a";
equation
  v_rel = der(s_rel);
  f = d*v_rel;
  annotation(
    Documentation(info = "<html><p><code>f = d*der(s_rel)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-20, 0}}),
      Line(points = {{-40, 30}, {30, 30}, {30, -30}, {-40, -30}}),
      Line(points = {{-20, 20}, {-20, -20}}),
      Line(points = {{30, 0}, {90, 0}}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "d=%d")}));
end Damper;
