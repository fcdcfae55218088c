within Mutabor.Rotational;
model Speed "Speed given by a signal"
  Blocks.RealInput w_ref(unit = "rad/s") "Speed of the flange" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.Angle phi(start = 0, fixed = true) "Angle of the flange";
equation
  phi = flange.phi;
  der(phi) = w_ref;
  annotation(
    Documentation(info = "<html><p>Takes any torque. If an inertia is connected rigidly, the signal is differentiated once.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Text(extent = {{-80, 40}, {40, -40}}, textString = "w"),
      Line(points = {{40, 0}, {90, 0}})}));
end Speed;
