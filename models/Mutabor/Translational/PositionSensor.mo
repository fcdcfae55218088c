within Mutabor.Translational;
model PositionSensor "Measures the position of a flange"
  Flange flange annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Blocks.RealOutput s(unit = "m") "Measured value" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  flange.f = 0;
  s = flange.s;
  annotation(
    Documentation(info = "<html><p>Takes no force.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255}),
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-40, 40}, {40, -40}}, textString = "s"),
      Line(points = {{-90, 0}, {-70, 0}}),
      Line(points = {{70, 0}, {100, 0}}, color = {0, 0, 127})}));
end PositionSensor;
