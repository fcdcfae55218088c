within Mutabor.Bodies;
model Sphere "A ball"
  extends Shape;
  parameter Units.Length diameter = 1 "Diameter";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Sphere"),
    Documentation(info = "<html><p>Its frame is at the centre.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Sphere;
