within Mutabor;
package Electrical "Analog circuits with ideal switching elements"
  annotation(
    Documentation(info = "<html><p>Components of analog circuits. A circuit needs a
<a href=\"modelica://Mutabor.Electrical.Ground\">Ground</a>. Switches, diodes, thyristors, fuses and breakers are ideal: a conducting one is
a short circuit, a blocking one an open circuit.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 20}, {50, -20}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 0, 255}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 0, 255})}));
end Electrical;
