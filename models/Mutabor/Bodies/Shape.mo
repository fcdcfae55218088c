within Mutabor.Bodies;
partial model Shape "An object with a shape"
  parameter String parent = "" "Name of the object in which it is placed; none: a joint carries it, or it is free in the world";
  parameter Boolean fixed = true "Whether it is fixed in its parent; otherwise it moves freely";
  parameter Units.Position translation[3] = {0, 0, 0} "Where it is in its parent, at the start where it is free";
  parameter Units.Angle rotation[3](each displayUnit = "deg") = {0, 0, 0} "How it is turned in its parent: about x, then the new y, then the new z";
  parameter Units.Velocity velocity[3] = {0, 0, 0} "Start velocity of a free object against its parent, along the axes of the parent";
  parameter Units.AngularVelocity angularVelocity[3] = {0, 0, 0} "Start angular velocity of a free object against its parent, along the axes of the parent";
  parameter Units.Mass mass = 0 "Mass; 0: from density or material";
  parameter Units.Density density = 0 "Density; 0: that of the material";
  parameter String material = "" "Solid material, such as Steel or Aluminium; none: without mass, if no mass and no density is given";
  parameter Boolean contact = false "Whether it touches other shapes for which this is true";
  parameter String color = "" "Colour: a name, or #rrggbb; none: that of the material";
  parameter Real transparency(unit = "1", min = 0, max = 1) = 0 "0: opaque, 1: not to be seen";
  annotation(
    Documentation(info = "<html><p>Mass and inertia come from the shape: with <code>mass</code>, with <code>density</code>, or with that of <code>material</code>. Without any of them the object is only seen.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Shape;
