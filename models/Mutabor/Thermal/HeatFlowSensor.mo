within Mutabor.Thermal;
model HeatFlowSensor "Measures a heat flow"
  extends TwoPorts;
  Blocks.RealOutput y(unit = "W") "Heat flow from port_a to port_b" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
equation
  dT = 0;
  y = Q_flow;
  annotation(
    Documentation(info = "<html><p>Both ports have the same temperature.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Text(extent = {{-30, 30}, {30, -30}}, textString = "Q"),
      Line(points = {{-90, 0}, {-50, 0}}, color = {191, 0, 0}),
      Line(points = {{50, 0}, {90, 0}}, color = {191, 0, 0}),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127})}));
end HeatFlowSensor;
