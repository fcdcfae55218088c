within Mutabor;
package Robots "Robots with their drives"
  annotation(
    Documentation(info = "<html>
<p>A robot is made of bodies, joints with flanges, and servo drives. It follows reference positions, which a program or any other signal gives.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, -80}, {-60, 0}, {20, 50}, {60, 0}}, thickness = 2),
      Line(points = {{45, -15}, {60, 0}, {75, -15}}, thickness = 2)}));
end Robots;
