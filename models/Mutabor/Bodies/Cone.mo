within Mutabor.Bodies;
model Cone "A cone or a frustum"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 3 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length diameter = 1 "Diameter of the base";
  parameter Units.Length length = 1 "Length";
  parameter Units.Length topDiameter = 0 "Diameter of the top";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Cone"),
    Documentation(info = "<html><p>Its frame is at the centre of the base; it points along its axis.</p></html>"),
    Icon(graphics = {
      Polygon(points = {{-70, -60}, {0, 70}, {70, -60}, {-70, -60}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Cone;
