within Mutabor;
package Rotational "Shafts that turn, with ideal clutches, freewheels and friction"
  annotation(
    Documentation(info = "<html><p>One-dimensional rotation. Angles and torques of flanges count in one direction for all components of a shaft.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-40, 50}, {40, -50}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-40, 0}}),
      Line(points = {{40, 0}, {90, 0}})}));
end Rotational;
