model SliderCrank "A flywheel drives a piston that compresses a gas"
  import Mutabor.Bodies.*;
  import Mutabor.Rotational.Inertia;
  parameter Real r(unit = "m") = 0.05 "Radius of the crank";
  parameter Real l(unit = "m") = 0.15 "Length of the rod";
  parameter Real area(unit = "m2") = 0.005 "Area of the piston";
  parameter Real p0(unit = "Pa") = 1e5 "Pressure around, and of the gas where the piston is farthest out";
  parameter Real gap(unit = "m") = 0.02 "Length of the gas where the piston is farthest in";
  Real gas(unit = "m") = gap + r + l - slider.s "Length of the gas";
  Real p(unit = "Pa") = p0*((gap + 2*r)/gas)^1.4 "Its pressure: no heat is exchanged";
  World world;
  Object3D crank(mass = 0.5, centre = {r/2, 0, 0}, inertia = diagonal({1e-4, 3e-4, 3e-4})) "Turns about its origin";
  Beam web(parent = "crank", translation = {r/2, 0, 0}, length = r, width = 0.03, thickness = 0.02, color = "SteelBlue") "Only seen";
  Object3D pin(parent = "crank", translation = {r, 0, 0});
  Object3D rod(mass = 0.3, centre = {l/3, 0, 0}, inertia = diagonal({2e-5, 8e-4, 8e-4})) "Begins at the crank";
  Beam shank(parent = "rod", translation = {l/2, 0, 0.02}, length = l, width = 0.02, thickness = 0.02, color = "Orange") "Only seen";
  Object3D eye(parent = "rod", translation = {l, 0, 0});
  Cylinder piston(axis = 1, diameter = 0.08, length = 0.05, mass = 0.4, transparency = 0.5);
  RevoluteWithFlange main(obj1 = "world", obj2 = "crank", phi(fixed = true), w(start = 100, fixed = true));
  Revolute big(obj1 = "pin", obj2 = "rod");
  Prismatic slider(obj1 = "world", obj2 = "piston", s0 = r + l);
  Revolute small(obj1 = "eye", obj2 = "piston") "Closes the loop";
  WorldForce push(object = "piston", f = {-area*(p - p0), 0, 0});
  Inertia flywheel(J = 0.1);
equation
  connect(flywheel.flange_b, main.flange);
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-8));
end SliderCrank;
