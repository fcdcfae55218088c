within Mutabor.Fluid;
model CheckValve "Valve that opens in one direction"
  extends TwoPorts;
  Boolean closed(start = true) "There is no flow";
protected
  Real s(start = -1) "Along the characteristic: mass flow of the open, pressure of the closed valve";
equation
  closed = s < 0;
  dp = if closed then s else 0;
  m_flow = if closed then 0 else s;
  annotation(
    Documentation(info = "<html><p>Lets flow from port_a to port_b without resistance, and nothing back.</p></html>"),
    Icon(graphics = {
      Polygon(points = {{-40, 40}, {40, 0}, {-40, -40}, {-40, 40}}, lineColor = {0, 127, 255}),
      Line(points = {{40, 40}, {40, -40}}, color = {0, 127, 255}),
      Line(points = {{-90, 0}, {-40, 0}}, color = {0, 127, 255}),
      Line(points = {{40, 0}, {90, 0}}, color = {0, 127, 255})}));
end CheckValve;
