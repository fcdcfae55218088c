model BouncingShapes "Shapes of several kinds fall on a plate, bounce and come to rest"
  import Mutabor.Bodies.*;
  World world(direction = {0, 0, -1}, camera = {1, -2, 1.2}, target = {0, 0, 0.1});
  ContactLaw law(restitution = 0.6, friction = 0.4, rolling = 0.05, stiffness = 1e-2) "Of all materials";
  Box plate(parent = "world", translation = {0, 0, -0.02}, lengthX = 2.2, lengthY = 1.6, lengthZ = 0.04, material = "Steel", contact = true, color = "Gainsboro");
  Sphere sphere(fixed = false, translation = {-0.6, -0.3, 0.4}, diameter = 0.16, material = "Aluminium", contact = true, color = "FireBrick");
  Ellipsoid egg(fixed = false, translation = {-0.3, 0.4, 0.4}, rotation = {0, 0.5, 0}, lengthX = 0.22, lengthY = 0.16, lengthZ = 0.16, material = "Aluminium", contact = true, color = "Gold");
  Box box(fixed = false, translation = {0, -0.4, 0.4}, rotation = {0.4, 0.6, 0}, lengthX = 0.14, lengthY = 0.14, lengthZ = 0.14, material = "Aluminium", contact = true, color = "SteelBlue");
  Cylinder cylinder(fixed = false, translation = {0.35, -0.3, 0.4}, rotation = {0.5, 0, 0}, diameter = 0.14, length = 0.16, material = "Aluminium", contact = true, color = "SeaGreen");
  Capsule capsule(fixed = false, translation = {0.8, 0.5, 0.4}, rotation = {0, -0.8, 0}, diameter = 0.1, length = 0.12, material = "Aluminium", contact = true, color = "Orange");
  ContactSensor touch[5](each object1 = "plate", object2 = {"sphere", "egg", "box", "cylinder", "capsule"});
  annotation(experiment(StopTime = 1.5, Tolerance = 1e-6));
end BouncingShapes;
