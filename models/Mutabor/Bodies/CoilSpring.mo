within Mutabor.Bodies;
model CoilSpring "A spring made of wire"
  extends Shape;
  parameter Integer axis(min = 1, max = 3) = 1 "Its axis: 1, 2, 3 for x, y, z";
  parameter Units.Length length = 1 "Length";
  parameter Units.Length diameter = 0.2 "Diameter of the windings";
  parameter Units.Length wireDiameter = 0.02 "Diameter of the wire";
  parameter Integer windings(min = 1) = 5 "Number of windings";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.CoilSpring"),
    Documentation(info = "<html><p>Only seen.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {230, 230, 230}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "CoilSp"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end CoilSpring;
