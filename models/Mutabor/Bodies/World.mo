within Mutabor.Bodies;
model World "The frame that everything is placed in, with its gravity"
  parameter Gravity gravity = Gravity.uniform "Field of gravity";
  parameter Units.Acceleration g = 9.81 "Acceleration of a uniform field";
  parameter Real direction[3](each unit = "1") = {0, -1, 0} "Direction of a uniform field";
  parameter Real mu(unit = "m3/s2") = 3.986004418e14 "Gravitational parameter of a point at the origin";
  parameter Boolean rigidContact = false "Whether bodies that touch are rigid: impacts are impulses, contact is a constraint; otherwise they are elastic";
  parameter Units.Position camera[3] = {0, 0, 0} "Where the camera of an animation stands; zeros: where all can be seen";
  parameter Units.Position target[3] = {0, 0, 0} "Where it looks";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.World"),
    Documentation(info = "<html><p>A model with bodies has one world. Its name is that of the frame at the origin, which other objects may have as their parent.</p></html>"),
    Icon(graphics = {
      Line(points = {{-80, -60}, {-80, 80}}, arrow = {Arrow.None, Arrow.Filled}),
      Line(points = {{-80, -60}, {60, -60}}, arrow = {Arrow.None, Arrow.Filled}),
      Line(points = {{40, 60}, {40, 0}}, color = {160, 160, 164}, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end World;
