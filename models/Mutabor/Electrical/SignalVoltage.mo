within Mutabor.Electrical;
model SignalVoltage "Source whose voltage is a signal"
  extends TwoPin(final v = u);
  Blocks.RealInput u(unit = "V") "Voltage from p to n" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>SignalVoltage source(u = 5*time)</code>.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{0, 100}, {0, 50}}, color = {0, 0, 127})}));
end SignalVoltage;
