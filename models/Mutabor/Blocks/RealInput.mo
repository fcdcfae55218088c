within Mutabor.Blocks;
connector RealInput = input Real "Input signal of type Real"
  annotation(
    defaultComponentName = "u",
    Documentation(info = "<html><p>The same as <code>Modelica.Blocks.Interfaces.RealInput</code>.</p></html>"),
    Icon(graphics = {Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {0, 0, 127}, fillColor = {0, 0, 127}, fillPattern = FillPattern.Solid)}));
