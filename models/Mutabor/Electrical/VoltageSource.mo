within Mutabor.Electrical;
partial model VoltageSource "Base of sources of voltage"
  extends TwoPin;
  annotation(
    Documentation(info = "<html><p>A derived class says what <code>v</code> is.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-90, 40}, {-60, 10}}, textString = "+"),
      Text(extent = {{60, 40}, {90, 10}}, textString = "-")}));
end VoltageSource;
