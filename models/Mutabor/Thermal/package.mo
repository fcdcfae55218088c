within Mutabor;
package Thermal "Heat: storage, conduction, melting, thermostats"
  annotation(
    Documentation(info = "<html><p>Lumped heat transfer.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Line(points = {{-90, 0}, {-50, 0}}, color = {191, 0, 0}),
      Line(points = {{50, 0}, {90, 0}}, color = {191, 0, 0})}));
end Thermal;
