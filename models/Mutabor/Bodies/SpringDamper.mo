within Mutabor.Bodies;
model SpringDamper "A spring with a damper between two objects"
  extends PointToPoint(force = c*(length - length0) + d*speed);
  parameter Units.TranslationalSpringConstant c = 1 "Stiffness";
  parameter Units.TranslationalDampingConstant d = 0 "Damping";
  parameter Units.Length length0 = 0 "Length without force";
  annotation(
    Documentation(info = "<html><p><code>force = c*(length - length0) + d*der(length)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}, {-50, 30}, {-30, -30}, {-10, 30}, {10, -30}, {30, 30}, {50, -30}, {60, 0}, {90, 0}}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end SpringDamper;
