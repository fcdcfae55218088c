model Dominoes "Each domino knocks over the next one"
  import Mutabor.Bodies.*;
  parameter Integer n = 6 "Number of dominoes";
  parameter Real w(unit = "m") = 0.02 "Thickness of a domino";
  parameter Real h(unit = "m") = 0.12 "Its height";
  parameter Real pitch(unit = "m") = 0.06 "From one to the next";
  parameter Real lean(unit = "rad", displayUnit = "deg") = 0.2 "Of the first one at the start: it stands on an edge, and falls beyond atan(w/h)";
  World world(direction = {0, 0, -1}, camera = {0.25, -0.6, 0.25}, target = {0.17, 0, 0.04});
  ContactLaw law(restitution = 0.2, friction = 0.4, stiffness = 1e-3);
  Box table(parent = "world", translation = {(n - 1)*pitch/2 + 0.05, 0, -0.01}, lengthX = n*pitch + 0.3, lengthY = 0.2, lengthZ = 0.02, material = "DryWood", contact = true, color = "Tan");
  Object3D edge(parent = "world", translation = {w/2, 0, 0}, rotation = {0, lean, 0}) "About which the first one falls";
  Box first(fixed = false, parent = "edge", translation = {-w/2, 0, h/2}, lengthX = w, lengthY = 0.06, lengthZ = h, material = "DryWood", contact = true, color = "Gold");
  Box domino[n - 1](
    each fixed = false, translation = {{k*pitch, 0, h/2} for k in 1:n - 1},
    each lengthX = w, each lengthY = 0.06, each lengthZ = h, each material = "DryWood", each contact = true, each color = "SteelBlue");
  annotation(experiment(StopTime = 0.7, Tolerance = 1e-5));
end Dominoes;
