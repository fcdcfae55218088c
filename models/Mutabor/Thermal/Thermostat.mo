within Mutabor.Thermal;
model Thermostat "Switches heating on when it is cold and off when it is warm"
  parameter Units.Temperature T_low = 291.15 "Below it heating is switched on";
  parameter Units.Temperature T_high = 295.15 "Above it heating is switched off";
  HeatPort port "Where the temperature is measured" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Blocks.BooleanOutput on(start = false, fixed = true) "Heating is on" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  port.Q_flow = 0;
  on = port.T < T_low or pre(on) and port.T <= T_high;
  annotation(
    Documentation(info = "<html><p>Between <code>T_low</code> and <code>T_high</code> it stays as it was. Takes no heat.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 70}, {70, -70}}, lineColor = {0, 0, 0}),
      Line(points = {{-50, -30}, {20, -30}, {20, 30}}),
      Line(points = {{-20, -30}, {-20, 30}, {50, 30}}),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name")}));
end Thermostat;
