within Mutabor.Bodies;
model AccelerationSensor "Measures the acceleration of an object"
  parameter String object "Object that is measured";
  parameter String resolve = "" "Object along whose axes results are given; none: the world";
  Units.Acceleration a[3] "Acceleration of its origin in the world, without that of gravity";
  Units.AngularAcceleration z[3] "Angular acceleration";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.AccelerationSensor"),
    Documentation(info = "<html><p>An object that falls freely has the acceleration of gravity.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "a"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end AccelerationSensor;
