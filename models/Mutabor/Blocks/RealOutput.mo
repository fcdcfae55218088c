within Mutabor.Blocks;
connector RealOutput = output Real "Output signal of type Real"
  annotation(
    defaultComponentName = "y",
    Documentation(info = "<html><p>The same as <code>Modelica.Blocks.Interfaces.RealOutput</code>.</p></html>"),
    Icon(graphics = {Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));
