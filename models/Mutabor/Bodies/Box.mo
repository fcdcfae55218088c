within Mutabor.Bodies;
model Box "A box"
  extends Shape;
  parameter Units.Length lengthX = 1 "Length along x";
  parameter Units.Length lengthY = 1 "Length along y";
  parameter Units.Length lengthZ = 1 "Length along z";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Box"),
    Documentation(info = "<html><p>Its frame is at the centre.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {128, 160, 220}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Box;
