within Mutabor.Bodies;
model WorldTorque "A torque on an object"
  parameter String object "Object on which it acts";
  parameter String resolve = "" "Object along whose axes it is given; none: the world";
  input Units.Torque t[3] "Torque";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.WorldTorque"),
    Documentation(info = "<html><p>Give the torque with <code>t = {0, 0, 1}</code>, or by an equation.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-60, 60}, {60, -60}}),
      Line(points = {{40, 40}, {70, 10}}, thickness = 2, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end WorldTorque;
