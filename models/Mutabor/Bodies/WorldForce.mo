within Mutabor.Bodies;
model WorldForce "A force on an object"
  parameter String object "Object on which it acts";
  parameter String resolve = "" "Object along whose axes it is given; none: the world";
  input Units.Force f[3] "Force at the origin of the object";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.WorldForce"),
    Documentation(info = "<html><p>Give the force with <code>f = {0, 0, 1}</code>, or by an equation.</p></html>"),
    Icon(graphics = {
      Line(points = {{-80, 0}, {80, 0}}, thickness = 2, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end WorldForce;
