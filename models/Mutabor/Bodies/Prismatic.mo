within Mutabor.Bodies;
model Prismatic "Slides along an axis"
  extends Joint;
  parameter Real axis[3](each unit = "1") = {1, 0, 0} "Axis, in the frame of obj1 and in that of obj2";
  parameter Units.Position s0 = 0 "Position at the start";
  parameter Units.Velocity v0 = 0 "Speed at the start";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.Position s "Position of obj2 against obj1";
  Units.Velocity v "Its derivative";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Prismatic"),
    Documentation(info = "<html><p>The position follows from the motion of the bodies. Where something else drives the joint, or follows it, use <code>PrismaticWithFlange</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Prismatic"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Prismatic;
