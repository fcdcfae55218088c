within Mutabor.Bodies;
model Revolute "Turns about an axis"
  extends Joint;
  parameter Real axis[3](each unit = "1") = {0, 0, 1} "Axis, in the frame of obj1 and in that of obj2";
  parameter Units.Angle phi0(displayUnit = "deg") = 0 "Angle at the start";
  parameter Units.AngularVelocity w0 = 0 "Speed at the start";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.Angle phi(displayUnit = "deg") "Angle of obj2 against obj1";
  Units.AngularVelocity w "Its derivative";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Revolute"),
    Documentation(info = "<html><p>The angle follows from the motion of the bodies. Where something else drives the joint, or follows it, use <code>RevoluteWithFlange</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Revolute"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Revolute;
