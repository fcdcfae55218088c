within Mutabor.Bodies;
model ContactSensor "Measures what two objects do to each other where they touch"
  parameter String object1 "Name of an object; it stands for all that is fixed in it";
  parameter String object2 = "" "Name of the other; none: any";
  Units.Position distance "Distance; negative while they touch";
  Units.Force normalForce "Force by which they press on each other";
  Units.Force frictionForce "Force along the surface";
  Units.Velocity depthSpeed "How fast they go deeper into each other";
  Units.Velocity slipSpeed "How fast they slide along each other";
  Units.AngularVelocity turnSpeed "How fast they turn against each other";
  Units.Position r[3] "Where the force acts";
  Real n[3](each unit = "1") "Normal from the first to the second";
  Units.Force f[3] "Force of the first on the second";
  Units.Torque t[3] "Torque of the first on the second, about r";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.ContactSensor"),
    Documentation(info = "<html><p>Vectors are along the axes of the world. Where two objects touch at several places, forces are the sum. Results may be used in equations, but not differentiated. An animation shows the force as an arrow.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 30}, {0, -40}}),
      Ellipse(extent = {{0, 30}, {70, -40}}),
      Line(points = {{0, -5}, {60, -5}}, color = {200, 0, 0}, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end ContactSensor;
