within Mutabor.Electrical;
model Conductor "Ideal conductor"
  extends TwoPin;
  parameter Units.Conductance G = 1 "Conductance";
equation
  i = G*v;
  annotation(
    Documentation(info = "<html><p><code>i = G*v</code>. The conductance may be zero.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 30}, {70, -30}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-70, 0}}, color = {0, 0, 255}),
      Line(points = {{70, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "G=%G")}));
end Conductor;
