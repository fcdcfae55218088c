within Mutabor.Blocks;
connector IntegerInput = input Integer "Input signal of type Integer"
  annotation(
    defaultComponentName = "u",
    Documentation(info = "<html><p>The same as <code>Modelica.Blocks.Interfaces.IntegerInput</code>.</p></html>"),
    Icon(graphics = {Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 127, 0}, fillColor = {255, 127, 0}, fillPattern = FillPattern.Solid)}));
