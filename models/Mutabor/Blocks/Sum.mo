within Mutabor.Blocks;
block Sum "Weighted sum of several signals"
  parameter Integer n(min = 1) = 2 "Number of inputs";
  parameter Real k[n] = ones(n) "Weights";
  RealInput u[n] "Inputs" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = k*u;
  annotation(
    Documentation(info = "<html><p><code>y = k*u</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-80, 40}, {80, -40}}, textString = "Σ"),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end Sum;
