within Mutabor.Electrical;
model Inductor "Ideal inductor"
  extends TwoPin(i(start = 0));
  parameter Units.Inductance L = 1 "Inductance";
equation
  L*der(i) = v;
  annotation(
    Documentation(info = "<html><p><code>L*der(i) = v</code>. Give the initial current as
<code>i(start = 1, fixed = true)</code>. If a switch interrupts the current, the voltage has an impulse.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, 0}, {-52, 22}, {-38, 22}, {-30, 0}, {-22, 22}, {-8, 22}, {0, 0}, {8, 22}, {22, 22}, {30, 0}, {38, 22}, {52, 22}, {60, 0}}, color = {0, 0, 255}, smooth = Smooth.Bezier),
      Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "L=%L")}));
end Inductor;
