within Mutabor.Blocks;
block Timer "Time since a condition holds"
  BooleanInput u "Condition" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  RealOutput y(unit = "s") "Time since it holds; zero while it does not" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
protected
  discrete Units.Time begin(start = 0);
initial equation
  pre(begin) = time;
equation
  when u then
    begin = time;
  end when;
  y = if u then time - begin else 0;
  annotation(
    Documentation(info = "<html><p>How long the input has been true.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-80, -60}, {-20, -60}, {60, 40}, {60, -60}, {80, -60}}, color = {0, 0, 127}),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end Timer;
