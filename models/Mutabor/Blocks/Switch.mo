within Mutabor.Blocks;
block Switch "One of two signals"
  RealInput u1 "Output while u2 is true" annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  BooleanInput u2 "Which input is chosen" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  RealInput u3 "Output while u2 is false" annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  y = if u2 then u1 else u3;
  annotation(
    Documentation(info = "<html><p><code>y = if u2 then u1 else u3</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-100, 60}, {-40, 60}, {40, 0}, {100, 0}}, color = {0, 0, 127}),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end Switch;
