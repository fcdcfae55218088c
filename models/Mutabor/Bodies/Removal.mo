within Mutabor.Bodies;
model Removal "Takes a free object away while it is active"
  parameter String object "Name of the object, with fixed = false";
  Boolean active = true "Whether the object is away";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Removal"),
    Documentation(info = "<html><p>While it is active, the object is not there, nor is anything that is fixed in it or tied to it by joints, whatever welds hold: they have no states and no results, and neither forces nor welds act on them. Sensors and force elements see them where they were left, at rest; what a force element says then acts on nothing, also not at its other end. When it ends, they begin anew with their start values, in the parent of the object as that is then.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-60, 60}, {60, -60}}, pattern = LinePattern.Dash),
      Line(points = {{-40, -40}, {40, 40}}, color = {200, 0, 0}, thickness = 1),
      Line(points = {{-40, 40}, {40, -40}}, color = {200, 0, 0}, thickness = 1),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Removal;
