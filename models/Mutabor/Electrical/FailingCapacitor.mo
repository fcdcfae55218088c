within Mutabor.Electrical;
model FailingCapacitor "Capacitor that a voltage which is too high turns into a resistor"
  Pin p "Positive pin" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin n "Negative pin" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.Voltage v = p.v - n.v "Voltage from p to n";
  parameter Units.Capacitance C = 1 "Capacitance";
  parameter Units.Voltage Vmax = 100 "Voltage at which it breaks down";
  parameter Units.Resistance Rfailed = 1 "Resistance after the breakdown";
  Capacitor intact(C = C) "First state";
  Resistor failed(R = Rfailed) "Second state, for ever";
equation
  connect(p, intact.p);
  connect(p, failed.p);
  connect(intact.n, n);
  connect(failed.n, n);
  initialState(intact);
  transition(intact, failed, abs(v) >= Vmax);
  annotation(
    Documentation(info = "<html><p>A state machine with two models as states: while one is active, the other one does not exist. The same pattern replaces
any component by any other one. The initial voltage is <code>intact(v(start = 1, fixed = true))</code>.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-6, 35}, {-6, -35}}, color = {0, 0, 255}),
      Line(points = {{6, 35}, {6, -35}}, color = {0, 0, 255}),
      Line(points = {{-90, 0}, {-6, 0}}, color = {0, 0, 255}),
      Line(points = {{6, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{10, 40}, {-4, 6}, {6, -4}, {-10, -40}}, color = {255, 0, 0})}));
end FailingCapacitor;
