within Mutabor;
package Bodies "Rigid bodies in space: shapes, joints, forces, sensors"
  annotation(
    Documentation(info = "<html>
<p>Objects are frames, with or without a shape and a mass, fixed in each other or free. Joints let them move against each other; joints with
a flange connect them to motors, gears and everything else that has equations. All bodies and joints of a model are one mechanism, whose motion is computed as a whole.</p>
<p>Objects are named by texts: <code>parent = &quot;world&quot;</code>, <code>obj1 = &quot;arm.hand&quot;</code>. A name is looked for beside the component that uses it, then in what is around it.</p>
</html>"),
    Icon(graphics = {
      Ellipse(extent = {{-80, 80}, {-20, 20}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Line(points = {{-30, 30}, {30, -30}}, thickness = 2),
      Ellipse(extent = {{20, -20}, {80, -80}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid)}));
end Bodies;
