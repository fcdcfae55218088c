within Mutabor.Thermal;
model PrescribedTemperature "Temperature given by a signal"
  Blocks.RealInput T(unit = "K") "Temperature" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  HeatPort port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.T = T;
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>PrescribedTemperature outside(T = 280 + 10*sin(time))</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {60, -60}}, lineColor = {0, 0, 0}, fillColor = {225, 225, 225}, fillPattern = FillPattern.Solid),
      Line(points = {{60, 0}, {90, 0}}, color = {191, 0, 0}),
      Text(extent = {{-150, 110}, {150, 70}}, textString = "%name")}));
end PrescribedTemperature;
