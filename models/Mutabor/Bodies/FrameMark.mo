within Mutabor.Bodies;
model FrameMark "Three arrows that show a frame"
  extends Shape;
  parameter Units.Length length = 0.2 "Length of the arrows";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.FrameMark"),
    Documentation(info = "<html><p>Only seen.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {230, 230, 230}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "FrameM"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end FrameMark;
