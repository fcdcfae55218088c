within Mutabor.Blocks;
partial block BooleanBlock2 "Block with two Boolean inputs and a Boolean output"
  BooleanInput u1 "First input" annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  BooleanInput u2 "Second input" annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  BooleanOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  annotation(
    Documentation(info = "<html><p>Block with two Boolean inputs and a Boolean output; a derived class adds the equations.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {255, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end BooleanBlock2;
