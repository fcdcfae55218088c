within Mutabor.Blocks;
partial block RealSource "Source of a Real signal"
  RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  annotation(
    Documentation(info = "<html><p>Source of a Real signal; a derived class adds the equations.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end RealSource;
