within Mutabor.Translational;
model Spring "Linear spring"
  extends Compliant;
  parameter Units.TranslationalSpringConstant c = 1 "Stiffness";
  parameter Units.Position s_rel0 = 0 "Length without force";
equation
  f = c*(s_rel - s_rel0);
  annotation(
    Documentation(info = "<html><p><code>f = c*(s_rel - s_rel0)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}, {-40, 25}, {-20, -25}, {0, 25}, {20, -25}, {40, 25}, {50, 0}, {90, 0}}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "c=%c")}));
end Spring;
