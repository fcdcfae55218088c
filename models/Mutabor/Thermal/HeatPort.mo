within Mutabor.Thermal;
connector HeatPort "Port for heat"
  Units.Temperature T "Temperature at the port";
  flow Units.HeatFlowRate Q_flow "Heat flow into the component";
  annotation(
    Documentation(info = "<html><p>Has the variables of <code>Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a</code> and <code>HeatPort_b</code>, and connects with them.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {191, 0, 0}, fillColor = {191, 0, 0}, fillPattern = FillPattern.Solid)}));
end HeatPort;
