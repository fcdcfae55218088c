within Mutabor.Translational;
model Position "Position given by a signal"
  Blocks.RealInput s_ref(unit = "m") "Position of the flange" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  flange.s = s_ref;
  annotation(
    Documentation(info = "<html><p>Takes any force. If a mass is connected rigidly, the signal is differentiated twice, so it must be smooth.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Text(extent = {{-80, 40}, {40, -40}}, textString = "s"),
      Line(points = {{40, 0}, {90, 0}})}));
end Position;
