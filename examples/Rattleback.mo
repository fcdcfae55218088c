model Rattleback "A stone that spins one way, begins to rattle, and turns round"
  import Mutabor.Bodies.*;
  parameter Real spin(unit = "rad/s") = -3 "Angular velocity about the vertical at the start";
  parameter Real rock(unit = "rad/s") = 0.5 "Angular velocity about its short axis, from which the rattling grows";
  World world(direction = {0, 0, -1}, camera = {0.1, -0.4, 0.25}, target = {0, 0, 0});
  ContactLaw law(restitution = 0, friction = 1, stiffness = 1e-2);
  Box table(parent = "world", translation = {0, 0, -0.01}, lengthX = 0.3, lengthY = 0.3, lengthZ = 0.02, material = "Steel", contact = true, color = "Gainsboro");
  Ellipsoid stone(
    fixed = false, translation = {0, 0, 0.015}, velocity = {0.015*rock, 0, 0}, angularVelocity = {0, rock, spin},
    lengthX = 0.2, lengthY = 0.05, lengthZ = 0.03, material = "DryWood", contact = true);
  // Two weights beside the long axis: the axes of inertia are no longer those of the shape.
  Box weight1(parent = "stone", translation = {0.06, 0.012, 0}, lengthX = 0.02, lengthY = 0.02, lengthZ = 0.01, material = "Brass");
  Box weight2(parent = "stone", translation = {-0.06, -0.012, 0}, lengthX = 0.02, lengthY = 0.02, lengthZ = 0.01, material = "Brass");
  ContactSensor touch(object1 = "table", object2 = "stone");
  annotation(experiment(StopTime = 6, Tolerance = 1e-7));
end Rattleback;
