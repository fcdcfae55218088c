within Mutabor.Blocks;
connector BooleanOutput = output Boolean "Output signal of type Boolean"
  annotation(
    defaultComponentName = "y",
    Documentation(info = "<html><p>The same as <code>Modelica.Blocks.Interfaces.BooleanOutput</code>.</p></html>"),
    Icon(graphics = {Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));
