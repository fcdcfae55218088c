within Mutabor.Bodies;
model Universal "Turns about two axes"
  extends Joint;
  parameter Real axis1[3](each unit = "1") = {1, 0, 0} "First axis, fixed in obj1";
  parameter Real axis2[3](each unit = "1") = {0, 1, 0} "Second axis, fixed in obj2";
  parameter Units.Angle phi0[2](each displayUnit = "deg") = {0, 0} "Angles at the start";
  parameter Units.AngularVelocity w0[2] = {0, 0} "Speeds at the start";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.Angle phi[2](each displayUnit = "deg") "Angles about the axes";
  Units.AngularVelocity w[2] "Their derivatives";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Universal"),
    Documentation(info = "<html><p>A Cardan joint. The axes should be perpendicular.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Universal"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Universal;
