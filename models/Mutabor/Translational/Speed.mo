within Mutabor.Translational;
model Speed "Velocity given by a signal"
  Blocks.RealInput v_ref(unit = "m/s") "Velocity of the flange" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.Position s(start = 0, fixed = true) "Position of the flange";
equation
  s = flange.s;
  der(s) = v_ref;
  annotation(
    Documentation(info = "<html><p>Takes any force. If a mass is connected rigidly, the signal is differentiated once.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Text(extent = {{-80, 40}, {40, -40}}, textString = "v"),
      Line(points = {{40, 0}, {90, 0}})}));
end Speed;
