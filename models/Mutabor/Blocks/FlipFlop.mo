within Mutabor.Blocks;
block FlipFlop "Memory that is set and reset"
  parameter Boolean y_start = false "Value at the beginning";
  BooleanInput S "Sets the output" annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  BooleanInput R "Resets the output; stronger than S" annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  BooleanOutput y(start = y_start, fixed = true) "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = not R and (S or pre(y));
  annotation(
    Documentation(info = "<html><p>True from the instant at which <code>S</code> is true until <code>R</code> is true.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {255, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-90, 80}, {-50, 40}}, textString = "S"),
      Text(extent = {{-90, -40}, {-50, -80}}, textString = "R"),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end FlipFlop;
