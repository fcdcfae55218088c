within Mutabor.Bodies;
model Cylindrical "Turns about an axis and slides along it"
  extends Joint;
  parameter Real axis[3](each unit = "1") = {0, 0, 1} "Axis, in the frame of obj1 and in that of obj2";
  parameter Units.Position s0 = 0 "Position at the start";
  parameter Units.Velocity v0 = 0 "Speed at the start";
  parameter Units.Angle phi0(displayUnit = "deg") = 0 "Angle at the start";
  parameter Units.AngularVelocity w0 = 0 "Speed at the start";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.Position s "Position of obj2 against obj1";
  Units.Velocity v "Its derivative";
  Units.Angle phi(displayUnit = "deg") "Angle of obj2 against obj1";
  Units.AngularVelocity w "Its derivative";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Cylindrical"),
    Documentation(info = "<html><p>Position and angle are independent.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Cylindrical"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Cylindrical;
