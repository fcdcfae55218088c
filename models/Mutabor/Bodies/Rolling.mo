within Mutabor.Bodies;
model Rolling "A wheel or a ball rolls on a plane without slipping"
  extends Joint;
  parameter Real normal[3](each unit = "1") = {0, 0, 1} "Normal of the plane, in the frame of obj1";
  parameter Units.Length radius = 0.5 "Radius of the wheel or ball, whose centre is obj2";
  parameter Boolean ball = false "A ball; otherwise a thin wheel";
  parameter Real axis[3](each unit = "1") = {0, 1, 0} "Axis of the wheel, in the frame of obj2";
  Boolean active = true "Whether it holds";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Rolling"),
    Documentation(info = "<html><p>The plane goes through obj1. The wheel touches it all the time.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Rolling"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Rolling;
