within Mutabor.Bodies;
type Gravity = enumeration(none "No gravity", uniform "The same acceleration everywhere", point "The attraction of a point at the origin of the world") "Fields of gravity" annotation(
  Documentation(info = "<html><p>The field of a <code>World</code>.</p></html>"),
  Icon(graphics = {
    Line(points = {{0, 70}, {0, -70}}, color = {160, 160, 164}, arrow = {Arrow.None, Arrow.Filled})}));
