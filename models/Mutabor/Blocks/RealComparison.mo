within Mutabor.Blocks;
partial block RealComparison "Block that compares a Real input"
  RealInput u "Input" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  BooleanOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  annotation(
    Documentation(info = "<html><p>Block that compares a Real input; a derived class adds the equations.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {255, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end RealComparison;
