within Mutabor.Thermal;
model ThermalConductor "Conducts heat"
  extends TwoPorts;
  parameter Units.ThermalConductance G = 1 "Conductance";
equation
  Q_flow = G*dT;
  annotation(
    Documentation(info = "<html><p><code>Q_flow = G*(port_a.T - port_b.T)</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 40}, {90, -40}}, lineColor = {0, 0, 0}, fillColor = {225, 225, 225}, fillPattern = FillPattern.Solid),
      Text(extent = {{-60, 20}, {60, -20}}, textString = "G=%G")}));
end ThermalConductor;
