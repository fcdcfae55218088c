within Mutabor.Bodies;
model Screw "Turns about an axis and moves along it"
  extends Joint;
  parameter Real axis[3](each unit = "1") = {0, 0, 1} "Axis, in the frame of obj1 and in that of obj2";
  parameter Real pitch(unit = "m/rad") = 0.001 "Distance for one radian";
  parameter Units.Angle phi0(displayUnit = "deg") = 0 "Angle at the start";
  parameter Units.AngularVelocity w0 = 0 "Speed at the start";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.Angle phi(displayUnit = "deg") "Angle of obj2 against obj1";
  Units.AngularVelocity w "Its derivative";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Screw"),
    Documentation(info = "<html><p>A full turn moves obj2 by <code>2*pi*pitch</code> along the axis.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Screw"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Screw;
