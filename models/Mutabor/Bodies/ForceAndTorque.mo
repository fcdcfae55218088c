within Mutabor.Bodies;
model ForceAndTorque "Force and torque between two objects, by any law"
  parameter String obj1 "Object at one end";
  parameter String obj2 "Object at the other end";
  Units.Position r[3] "Position of obj2 against obj1, along the axes of obj1";
  Units.Velocity v[3] "Its derivative, seen in obj1";
  Units.Angle angles[3](each displayUnit = "deg") "How obj2 is turned in obj1: about x, then the new y, then the new z";
  Units.AngularVelocity w[3] "Angular velocity of obj2 against obj1, along the axes of obj1";
  input Units.Force f[3] "Force on obj1 at the origin of obj2, along the axes of obj1; obj2 feels the opposite";
  input Units.Torque t[3] "Torque on obj1, along the axes of obj1; obj2 feels the opposite";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.ForceAndTorque"),
    Documentation(info = "<html><p>The laws are equations for <code>f</code> and <code>t</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-80, 0}, {80, 0}}, thickness = 2, arrow = {Arrow.Filled, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end ForceAndTorque;
