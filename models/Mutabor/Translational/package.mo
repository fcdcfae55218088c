within Mutabor;
package Translational "Bodies that move along a line, with contacts, latches and friction"
  annotation(
    Documentation(info = "<html><p>One-dimensional translation. Positions and forces of flanges count in one direction, from left to right.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-40, 40}, {40, -40}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, -40}, {90, -40}})}));
end Translational;
