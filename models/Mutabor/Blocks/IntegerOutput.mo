within Mutabor.Blocks;
connector IntegerOutput = output Integer "Output signal of type Integer"
  annotation(
    defaultComponentName = "y",
    Documentation(info = "<html><p>The same as <code>Modelica.Blocks.Interfaces.IntegerOutput</code>.</p></html>"),
    Icon(graphics = {Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 127, 0}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));
