within Mutabor.Bodies;
model ReactionSensor "Measures force and torque in a joint"
  parameter String joint "Name of the joint";
  parameter String resolve = "" "Object along whose axes results are given; none: the world";
  Units.Force f[3] "Force of obj1 on obj2";
  Units.Torque t[3] "Torque of obj1 on obj2, about the origin of obj2";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.ReactionSensor"),
    Documentation(info = "<html><p>Of a joint in a loop the reaction may not be unique; then this is said.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "f"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end ReactionSensor;
