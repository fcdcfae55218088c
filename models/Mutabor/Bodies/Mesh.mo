within Mutabor.Bodies;
model Mesh "A shape from a file"
  extends Shape;
  parameter String file "Name of an OBJ or STL file";
  parameter Real scale[3](each unit = "1") = {1, 1, 1} "Factors along x, y, z: 0.001 for files in millimetres";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Mesh"),
    Documentation(info = "<html><p>The faces must enclose a volume where the mass comes from the shape. Mass, centre and inertia do not depend on the orientation of the faces.</p></html>"),
    Icon(graphics = {
      Polygon(points = {{-60, -50}, {0, 70}, {70, 10}, {30, -60}, {-60, -50}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Mesh;
