within Mutabor.Translational;
model ConstantForce "Constant force"
  parameter Units.Force f_constant = 1 "Force on what is connected";
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  flange.f = -f_constant;
  annotation(
    Documentation(info = "<html><p>Pushes in the positive direction if <code>f_constant</code> is positive: <code>-m*g</code> is the weight of a body whose positions are heights.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-60, 0}, {90, 0}}, color = {0, 127, 0}, thickness = 0.5, arrow = {Arrow.None, Arrow.Filled})}));
end ConstantForce;
