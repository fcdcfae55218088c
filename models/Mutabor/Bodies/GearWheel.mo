within Mutabor.Bodies;
model GearWheel "A wheel with teeth"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 3 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length diameter = 1 "Outer diameter";
  parameter Units.Length length = 0.2 "Width";
  parameter Units.Length innerDiameter = 0 "Diameter of the bore";
  parameter Integer teeth(min = 3) = 20 "Number of teeth";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.GearWheel"),
    Documentation(info = "<html><p>Only seen.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {230, 230, 230}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "GearWh"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end GearWheel;
