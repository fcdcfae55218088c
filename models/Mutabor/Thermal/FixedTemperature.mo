within Mutabor.Thermal;
model FixedTemperature "Constant temperature"
  parameter Units.Temperature T = 293.15 "Temperature";
  HeatPort port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.T = T;
  annotation(
    Documentation(info = "<html><p>Takes and gives any heat: the surroundings.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {60, -60}}, lineColor = {0, 0, 0}, fillColor = {225, 225, 225}, fillPattern = FillPattern.Solid),
      Line(points = {{60, 0}, {90, 0}}, color = {191, 0, 0}),
      Text(extent = {{-60, 30}, {40, -30}}, textString = "T=%T"),
      Text(extent = {{-150, 110}, {150, 70}}, textString = "%name")}));
end FixedTemperature;
