model DoublePendulumInSpace "Two rods whose hinges are at right angles: the lower one swings out of the plane of the upper one"
  import Mutabor.Bodies.*;
  parameter Real L(unit = "m") = 0.5 "Length of each rod";
  World world(camera = {1.2, 0.2, 2}, target = {0, -0.4, 0});
  Object3D shoulder "Upper end of the upper rod";
  Cylinder upper(parent = "shoulder", translation = {L/2, 0, 0}, axis = 1, length = L, diameter = 0.04, mass = 1, color = "SteelBlue");
  Object3D elbow(parent = "shoulder", translation = {L, 0, 0}) "Lower end of the upper rod";
  Object3D hand "Upper end of the lower rod";
  Cylinder lower(parent = "hand", translation = {L/2, 0, 0}, axis = 1, length = L, diameter = 0.04, mass = 1, color = "Orange");
  Revolute joint1(obj1 = "world", obj2 = "shoulder", axis = {0, 0, 1}, phi0 = -0.5);
  Revolute joint2(obj1 = "elbow", obj2 = "hand", axis = {0, 1, 0}, phi0 = 1);
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end DoublePendulumInSpace;
