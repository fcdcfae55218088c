within Mutabor.Electrical;
partial model CurrentSource "Base of sources of current"
  extends TwoPin;
  annotation(
    Documentation(info = "<html><p>A derived class says what <code>i</code> is. The current flows from p to n inside the source.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 0, 255}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{0, 50}, {0, -50}}, color = {0, 0, 255}),
      Polygon(points = {{90, 0}, {60, 10}, {60, -10}, {90, 0}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}));
end CurrentSource;
