within Mutabor.Bodies;
model Capsule "A cylinder with half balls at its ends"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 3 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length diameter = 1 "Diameter";
  parameter Units.Length length = 1 "Length of the cylinder, without the half balls";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Capsule"),
    Documentation(info = "<html><p>Its frame is at the centre.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-85, 40}, {85, -40}}, radius = 40, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Capsule;
