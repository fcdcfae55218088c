within Mutabor.Blocks;
connector BooleanInput = input Boolean "Input signal of type Boolean"
  annotation(
    defaultComponentName = "u",
    Documentation(info = "<html><p>The same as <code>Modelica.Blocks.Interfaces.BooleanInput</code>.</p></html>"),
    Icon(graphics = {Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 0, 255}, fillColor = {255, 0, 255}, fillPattern = FillPattern.Solid)}));
