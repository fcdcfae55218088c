within Mutabor.Electrical;
model Capacitor "Ideal capacitor"
  extends TwoPin(v(start = 0));
  parameter Units.Capacitance C = 1 "Capacitance";
equation
  C*der(v) = i;
  annotation(
    Documentation(info = "<html><p><code>C*der(v) = i</code>. Give the initial voltage as
<code>v(start = 10, fixed = true)</code>. If switches connect capacitors with each other or with a voltage source, charge is conserved and the
current has an impulse.</p></html>"),
    Icon(graphics = {
      Line(points = {{-6, 35}, {-6, -35}}, color = {0, 0, 255}),
      Line(points = {{6, 35}, {6, -35}}, color = {0, 0, 255}),
      Line(points = {{-90, 0}, {-6, 0}}, color = {0, 0, 255}),
      Line(points = {{6, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "C=%C")}));
end Capacitor;
