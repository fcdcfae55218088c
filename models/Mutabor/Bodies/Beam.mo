within Mutabor.Bodies;
model Beam "A bar with round ends"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 1 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length length = 1 "Distance between the centres of the round ends";
  parameter Units.Length width = 0.2 "Width, the diameter of the round ends";
  parameter Units.Length thickness = 0.1 "Thickness";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Beam"),
    Documentation(info = "<html><p>Its frame is at the centre.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 25}, {90, -25}}, radius = 25, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Beam;
