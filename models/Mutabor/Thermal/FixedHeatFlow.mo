within Mutabor.Thermal;
model FixedHeatFlow "Constant heat flow"
  parameter Units.HeatFlowRate Q_flow = 1 "Heat flow into what is connected";
  HeatPort port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.Q_flow = -Q_flow;
  annotation(
    Documentation(info = "<html><p>Heats if <code>Q_flow</code> is positive.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, 0}, {90, 0}}, color = {191, 0, 0}, thickness = 1, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name")}));
end FixedHeatFlow;
