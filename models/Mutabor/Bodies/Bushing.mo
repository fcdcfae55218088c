within Mutabor.Bodies;
model Bushing "Springs and dampers in all directions between two objects"
  extends ForceAndTorque(
    f = {c[k]*r[k] + d[k]*v[k] for k in 1:3},
    t = {cr[k]*angles[k] + dr[k]*w[k] for k in 1:3});
  parameter Units.TranslationalSpringConstant c[3] = {1, 1, 1} "Stiffness along x, y, z";
  parameter Units.TranslationalDampingConstant d[3] = {0, 0, 0} "Damping along x, y, z";
  parameter Units.RotationalSpringConstant cr[3] = {1, 1, 1} "Stiffness about x, y, z";
  parameter Units.RotationalDampingConstant dr[3] = {0, 0, 0} "Damping about x, y, z";
  annotation(
    Documentation(info = "<html><p>The angles should be small: the law takes those about x, y and z as independent. For other laws extend <code>ForceAndTorque</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {220, 220, 200}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Bushing;
