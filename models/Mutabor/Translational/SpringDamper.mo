within Mutabor.Translational;
model SpringDamper "Linear spring and damper in parallel"
  extends Compliant;
  parameter Units.TranslationalSpringConstant c = 1 "Stiffness";
  parameter Units.TranslationalDampingConstant d = 0 "Damping";
  parameter Units.Position s_rel0 = 0 "Length without force";
  Units.Velocity v_rel "Velocity of flange_b against flange_a";
equation
  v_rel = der(s_rel);
  f = c*(s_rel - s_rel0) + d*v_rel;
  annotation(
    Documentation(info = "<html><p><code>f = c*(s_rel - s_rel0) + d*der(s_rel)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}, {-40, 25}, {-20, -25}, {0, 25}, {20, -25}, {40, 25}, {50, 0}, {90, 0}}),
      Line(points = {{-40, 30}, {30, 30}, {30, -30}, {-40, -30}}),
      Line(points = {{-20, 20}, {-20, -20}}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "c=%c")}));
end SpringDamper;
