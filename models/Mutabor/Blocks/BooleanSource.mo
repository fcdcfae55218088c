within Mutabor.Blocks;
partial block BooleanSource "Source of a Boolean signal"
  BooleanOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  annotation(
    Documentation(info = "<html><p>Source of a Boolean signal; a derived class adds the equations.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {255, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end BooleanSource;
