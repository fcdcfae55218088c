within Mutabor.Bodies;
model Cylinder "A cylinder or a tube"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 3 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length diameter = 1 "Diameter";
  parameter Units.Length length = 1 "Length";
  parameter Units.Length innerDiameter = 0 "Inner diameter of a tube";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Cylinder"),
    Documentation(info = "<html><p>Its frame is at the centre.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{60, 60}, {100, -60}}, fillColor = {160, 190, 240}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Cylinder;
