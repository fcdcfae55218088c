model Stack "Five boxes stand on each other, until a hammer knocks out the third"
  import Mutabor.Bodies.*;
  parameter Integer n = 5 "Number of boxes";
  parameter Real a(unit = "m") = 0.1 "Height of a box";
  parameter Real release(unit = "s") = 0.5 "When the hammer is let go";
  World world(direction = {0, 0, -1}, camera = {0.9, -1.9, 0.7}, target = {0.25, 0, 0.35});
  ContactLaw wood(material1 = "DryWood", restitution = 0, friction = 0.2, stiffness = 1e-2);
  ContactLaw blow(material1 = "DryWood", material2 = "Steel", restitution = 0.7, friction = 0.1, stiffness = 1e-2);
  Box table(parent = "world", translation = {0.5, 0, -0.02}, lengthX = 1.6, lengthY = 0.5, lengthZ = 0.04, material = "DryWood", contact = true, color = "Tan");
  Box box[n](
    each fixed = false, translation = {{0, 0, (k - 0.5)*a} for k in 1:n},
    each lengthX = 0.2, each lengthY = 0.2, each lengthZ = a, each material = "DryWood", each contact = true,
    color = {if k == 3 then "Gold" else "SteelBlue" for k in 1:n});
  Object3D hook(parent = "world", translation = {-0.16, 0, 2.5*a + 0.5});
  Object3D hammer "Turns about the hook";
  Revolute pivot(obj1 = "hook", obj2 = "hammer", axis = {0, 1, 0}, phi0 = 2.2, locked = time < release);
  Cylinder handle(parent = "hammer", translation = {0, 0, -0.25}, diameter = 0.015, length = 0.5, color = "Sienna") "Without mass";
  Sphere head(parent = "hammer", translation = {0, 0, -0.5}, diameter = 0.08, mass = 2, material = "Steel", contact = true);
  ContactSensor below[n](
    object1 = {if k == 1 then "table" else "box[" + String(k - 1) + "]" for k in 1:n},
    object2 = {"box[" + String(k) + "]" for k in 1:n}) "What each box stands on";
  annotation(experiment(StopTime = 1.4, Tolerance = 1e-5));
end Stack;
