within Mutabor.Electrical;
model Resistor "Ideal resistor"
  extends TwoPin;
  parameter Units.Resistance R = 1 "Resistance";
equation
  v = R*i;
  annotation(
    Documentation(info = "<html><p><code>v = R*i</code>. The resistance may be zero.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 30}, {70, -30}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-70, 0}}, color = {0, 0, 255}),
      Line(points = {{70, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "R=%R")}));
end Resistor;
