within Mutabor.Blocks;
type Smoothness = enumeration(steps "The value of the point before, until the next one", linear "Straight lines between the points", monotone "Curves without bends that do not rise where the points fall (F. N. Fritsch, J. Butland 1984)", akima "Curves without bends that follow the points closely (H. Akima 1970)") "How a table is interpolated" annotation(
  Documentation(info = "<html><p>Steps of <code>steps</code> and bends of <code>linear</code> are events.</p></html>"),
  Icon(graphics = {
    Line(points = {{-80, -60}, {-40, 20}, {0, -20}, {40, 60}, {80, 10}}, color = {0, 0, 127})}));
