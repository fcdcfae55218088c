within Mutabor.Blocks;
type Extrapolation = enumeration(hold "The value of the first or last point", linear "On along a straight line", periodic "The table again and again", forbidden "An error") "What a table is outside of its points" annotation(
  Documentation(info = "<html><p>Leaving the range of the points is an event.</p></html>"),
  Icon(graphics = {
    Line(points = {{-80, -20}, {-40, -20}, {0, 40}, {40, 10}, {80, 10}}, color = {0, 0, 127})}));
