within Mutabor.Bodies;
model TextMark "A text"
  extends Shape;
  parameter String text = "" "What is written";
  parameter Units.Length height = 0.1 "Height of the letters";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.TextMark"),
    Documentation(info = "<html><p>Only seen.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {230, 230, 230}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "TextMa"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end TextMark;
