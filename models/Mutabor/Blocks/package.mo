within Mutabor;
package Blocks "Signals: sources, dynamics, logic"
  annotation(
    Documentation(info = "<html><p>Blocks with inputs <code>u</code> and outputs <code>y</code>. Instead of connecting an input one may write its value
down: <code>Blocks.Gain g(u = sin(time))</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 127}),
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 0, 127}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 0, 127})}));
end Blocks;
