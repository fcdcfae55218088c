model NewtonsCradle "Five steel balls on pendulums: as many fly off as have come"
  import Mutabor.Bodies.*;
  parameter Integer n = 5 "Number of balls";
  parameter Integer lifted = 1 "How many of them are lifted at the start";
  parameter Real d(unit = "m") = 0.05 "Diameter of a ball";
  parameter Real l(unit = "m") = 0.3 "Length of a pendulum";
  parameter Real gap(unit = "m") = 1e-4 "Between two balls at rest";
  parameter Real angle(unit = "rad", displayUnit = "deg") = 0.5 "To which they are lifted";
  World world(direction = {0, 0, -1}, camera = {0.25, -0.75, 0.1}, target = {0.1, 0, -0.15});
  ContactLaw law(restitution = 1, friction = 0);
  Cylinder bar(parent = "world", translation = {(n - 1)*(d + gap)/2, 0, 0}, axis = 1, length = n*d + 0.05, diameter = 0.01, color = "DimGray");
  Object3D hook[n](each parent = "world", translation = {{(k - 1)*(d + gap), 0, 0} for k in 1:n});
  Object3D pendulum[n];
  Revolute joint[n](
    obj1 = {"hook[" + String(k) + "]" for k in 1:n}, obj2 = {"pendulum[" + String(k) + "]" for k in 1:n},
    each axis = {0, 1, 0}, phi0 = {if k <= lifted then angle else 0 for k in 1:n});
  Cylinder thread[n](
    parent = {"pendulum[" + String(k) + "]" for k in 1:n}, each translation = {0, 0, -l/2},
    each length = l, each diameter = 0.002, each color = "Black") "Only seen";
  Sphere ball[n](
    parent = {"pendulum[" + String(k) + "]" for k in 1:n}, each translation = {0, 0, -l},
    each diameter = d, each material = "Steel", each contact = true);
  ContactSensor touch[n - 1](object1 = {"ball[" + String(k) + "]" for k in 1:n - 1}, object2 = {"ball[" + String(k + 1) + "]" for k in 1:n - 1});
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end NewtonsCradle;
