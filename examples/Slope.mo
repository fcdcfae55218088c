model Slope "A box that sticks on a slope, and one that slides down"
  import Mutabor.Bodies.*;
  parameter Real angle(unit = "rad", displayUnit = "deg") = 0.4 "Of the slope; rubber sticks up to atan(0.5), ice up to atan(0.1)";
  World world(direction = {0, 0, -1}, camera = {0.9, -2.2, 0.9}, target = {0, 0, 0.1});
  ContactLaw rubber(material1 = "Rubber", restitution = 0, friction = 0.5);
  ContactLaw ice(material1 = "Ice", restitution = 0, friction = 0.1);
  Object3D slope(parent = "world", rotation = {0, angle, 0}) "Its x goes down";
  Box plank(parent = "slope", translation = {0, 0, -0.02}, lengthX = 2, lengthY = 0.6, lengthZ = 0.04, material = "DryWood", contact = true);
  Box eraser(fixed = false, parent = "slope", translation = {-0.8, 0.15, 0.05}, lengthX = 0.2, lengthY = 0.15, lengthZ = 0.1, material = "Rubber", contact = true, color = "FireBrick");
  Box cube(fixed = false, parent = "slope", translation = {-0.8, -0.15, 0.05}, lengthX = 0.2, lengthY = 0.15, lengthZ = 0.1, material = "Ice", contact = true);
  ContactSensor sticks(object1 = "slope", object2 = "eraser");
  ContactSensor slides(object1 = "slope", object2 = "cube");
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Slope;
