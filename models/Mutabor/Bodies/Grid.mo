within Mutabor.Bodies;
model Grid "A grid in a plane"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 3 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length length = 1 "Length";
  parameter Units.Length width = 1 "Width";
  parameter Units.Length distance = 0.1 "Distance of the lines";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Grid"),
    Documentation(info = "<html><p>Only seen.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {230, 230, 230}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Grid"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Grid;
