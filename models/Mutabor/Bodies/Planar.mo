within Mutabor.Bodies;
model Planar "Moves in a plane"
  extends Joint;
  parameter Real normal[3](each unit = "1") = {0, 0, 1} "Normal of the plane: an axis of the frame of obj1";
  parameter Units.Position s0[2] = {0, 0} "Position in the plane at the start";
  parameter Units.Velocity v0[2] = {0, 0} "Velocity at the start";
  parameter Units.Angle phi0(displayUnit = "deg") = 0 "Angle at the start";
  parameter Units.AngularVelocity w0 = 0 "Speed at the start";
  Boolean locked = false "While it holds, the joint does not move" annotation(HideResult = true);
  Units.Position s[2] "Position in the plane";
  Units.Velocity v[2] "Its derivative";
  Units.Angle phi(displayUnit = "deg") "Angle about the normal";
  Units.AngularVelocity w "Its derivative";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Planar"),
    Documentation(info = "<html><p>For the normals x, y, z the directions in the plane are (y, z), (z, x), (x, y).</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Planar"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Planar;
