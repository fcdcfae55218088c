within Mutabor.Thermal;
model TemperatureSensor "Measures a temperature"
  HeatPort port annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Blocks.RealOutput T(unit = "K") "Measured value" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  port.Q_flow = 0;
  T = port.T;
  annotation(
    Documentation(info = "<html><p>Takes no heat.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-20, -20}, {20, -60}}),
      Rectangle(extent = {{-8, 60}, {8, -20}}, lineColor = {0, 0, 0}),
      Line(points = {{-90, 0}, {-8, 0}}, color = {191, 0, 0}),
      Line(points = {{8, 0}, {100, 0}}, color = {0, 0, 127}),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name")}));
end TemperatureSensor;
