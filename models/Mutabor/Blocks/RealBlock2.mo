within Mutabor.Blocks;
partial block RealBlock2 "Block with two Real inputs and a Real output"
  RealInput u1 "First input" annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  RealInput u2 "Second input" annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  annotation(
    Documentation(info = "<html><p>Block with two Real inputs and a Real output; a derived class adds the equations.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end RealBlock2;
