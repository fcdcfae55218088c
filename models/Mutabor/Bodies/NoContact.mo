within Mutabor.Bodies;
model NoContact "Two objects do not touch while it is active"
  parameter String object1 "Name of an object; it stands for all that is fixed in it";
  parameter String object2 = "" "Name of the other; none: any";
  Boolean active = true "Whether they do not touch";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.NoContact"),
    Documentation(info = "<html><p>Objects of one body do not touch anyway, nor do those of two bodies that a joint joins, unless one of them is the world. When it ends while shapes are in each other, they are pushed apart.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 30}, {10, -50}}),
      Ellipse(extent = {{-10, 30}, {70, -50}}),
      Line(points = {{-60, -60}, {60, 40}}, color = {200, 0, 0}, thickness = 1),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end NoContact;
