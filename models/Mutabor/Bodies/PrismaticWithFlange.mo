within Mutabor.Bodies;
model PrismaticWithFlange "Slides along an axis, driven through a flange"
  extends Joint;
  parameter Real axis[3](each unit = "1") = {1, 0, 0} "Axis, in the frame of obj1 and in that of obj2";
  parameter Units.Position s0 = 0 "Position at the start";
  parameter Units.Velocity v0 = 0 "Speed at the start";
  Translational.Flange flange "Moves with obj2 against obj1" annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Units.Position s(start = s0, stateSelect = StateSelect.prefer) "Position of obj2 against obj1";
  Units.Velocity v(start = v0, stateSelect = StateSelect.prefer) "Its derivative";
  Units.Acceleration a "Acceleration";
  Units.Force f "Force of the flange on the joint";
equation
  v = der(s);
  a = der(v);
  s = flange.s;
  f = flange.f;
  annotation(
    __Mutabor(
      builtIn = "Mutabor.Bodies.PrismaticWithFlange",
      instead(locked = "To hold it, make a `Weld` between its objects active.")),
    Documentation(info = "<html><p>Position, speed and acceleration are ordinary variables: motors, springs, stops and given positions act on them as on any slider.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Prismatic"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end PrismaticWithFlange;
