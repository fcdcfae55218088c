within Mutabor.Bodies;
model Sensor "Measures the motion of an object against another"
  parameter String object "Object that is measured";
  parameter String origin = "" "Object against which it is measured; none: the world";
  parameter String resolve = "" "Object along whose axes results are given; none: those of the origin";
  Units.Position r[3] "Position";
  Units.Velocity v[3] "Its derivative, seen in the origin";
  Units.Angle angles[3](each displayUnit = "deg") "How it is turned: about x, then the new y, then the new z";
  Units.AngularVelocity w[3] "Angular velocity";
  Units.Length distance "Distance";
  Units.Velocity distanceSpeed "Its derivative";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Sensor"),
    Documentation(info = "<html><p>Results may be used in equations, but not differentiated.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Sensor;
