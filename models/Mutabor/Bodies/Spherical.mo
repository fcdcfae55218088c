within Mutabor.Bodies;
model Spherical "Turns in all directions about a point"
  extends Joint;
  parameter Units.Angle rotation[3](each displayUnit = "deg") = {0, 0, 0} "How obj2 is turned in obj1 at the start: about x, then the new y, then the new z";
  parameter Units.AngularVelocity w0[3] = {0, 0, 0} "Angular velocity at the start, along the axes of obj1";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.AngularVelocity w[3] "Angular velocity of obj2 against obj1, along the axes of obj1";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Spherical"),
    Documentation(info = "<html><p>No orientation is singular.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Spherical"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Spherical;
