within ;
package Mutabor "Components whose equations may change while they run"
  annotation(
    version = "1.0.0",
    Documentation(info = "<html>
<p>Electrical, mechanical, thermal and signal components. Their connectors have the variables, units and flow
prefixes of the Modelica Standard Library 4, so components of both can be connected.</p>
<p>Elements that switch, lock, break or change their phase do so ideally: no parasitic resistance, no
stiff spring. The number of states and the index may change; charge and momentum are conserved.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, radius = 25, fillColor = {245, 245, 245}, fillPattern = FillPattern.Solid),
      Line(points = {{-60, 0}, {-10, 0}, {30, 40}}, thickness = 1),
      Line(points = {{30, 0}, {60, 0}}, thickness = 1)}));
end Mutabor;
