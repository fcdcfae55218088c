within Mutabor.Bodies;
model RevoluteWithFlange "Turns about an axis, driven through a flange"
  extends Joint;
  parameter Real axis[3](each unit = "1") = {0, 0, 1} "Axis, in the frame of obj1 and in that of obj2";
  parameter Units.Angle phi0(displayUnit = "deg") = 0 "Angle at the start";
  parameter Units.AngularVelocity w0 = 0 "Speed at the start";
  Rotational.Flange flange "Turns with obj2 against obj1" annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Units.Angle phi(displayUnit = "deg", start = phi0, stateSelect = StateSelect.prefer) "Angle of obj2 against obj1";
  Units.AngularVelocity w(start = w0, stateSelect = StateSelect.prefer) "Its derivative";
  Units.AngularAcceleration a "Acceleration";
  Units.Torque tau "Torque of the flange on the joint";
equation
  w = der(phi);
  a = der(w);
  phi = flange.phi;
  tau = flange.tau;
  annotation(
    __Mutabor(
      builtIn = "Mutabor.Bodies.RevoluteWithFlange",
      instead(locked = "To hold it, connect its flange with a `Mutabor.Rotational.Brake` or an `IdealClutch`, or make a `Weld` between its objects active.")),
    Documentation(info = "<html><p>Angle, speed and acceleration are ordinary variables: motors, gears, friction and given angles act on them as on any shaft.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Revolute"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end RevoluteWithFlange;
