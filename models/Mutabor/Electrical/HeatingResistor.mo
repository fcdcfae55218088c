within Mutabor.Electrical;
model HeatingResistor "Resistor that gives its losses to a heat port"
  extends TwoPin;
  parameter Units.Resistance R = 1 "Resistance at T_ref";
  parameter Units.Temperature T_ref = 293.15 "Reference temperature";
  parameter Real alpha(unit = "1/K") = 0 "Change of the resistance with temperature";
  Thermal.HeatPort port "Takes the losses" annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  v = R*(1 + alpha*(port.T - T_ref))*i;
  port.Q_flow = -v*i;
  annotation(
    Documentation(info = "<html><p><code>v = R*(1 + alpha*(T - T_ref))*i</code>; the power <code>v*i</code> flows out of the heat port, which must be connected.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 30}, {70, -30}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-70, 0}}, color = {0, 0, 255}),
      Line(points = {{70, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{0, -30}, {0, -90}}, color = {191, 0, 0})}));
end HeatingResistor;
