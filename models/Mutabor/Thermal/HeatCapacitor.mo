within Mutabor.Thermal;
model HeatCapacitor "Body that stores heat"
  parameter Units.HeatCapacity C = 1 "Heat capacity";
  Units.Temperature T(start = 293.15) "Temperature";
  HeatPort port "Port" annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  T = port.T;
  C*der(T) = port.Q_flow;
  annotation(
    Documentation(info = "<html><p><code>C*der(T) = port.Q_flow</code>. Give the initial temperature as <code>T(start = 300, fixed = true)</code>.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-60, 30}, {60, -30}}, textString = "C=%C"),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name")}));
end HeatCapacitor;
