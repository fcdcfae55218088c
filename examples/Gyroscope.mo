model Gyroscope "A top that leans and does not fall: it precesses steadily"
  import Mutabor.Bodies.*;
  parameter Real m(unit = "kg") = 0.5 "Mass of the disc";
  parameter Real radius(unit = "m") = 0.05 "Its radius";
  parameter Real thickness(unit = "m") = 0.01 "Its thickness";
  parameter Real l(unit = "m") = 0.08 "Distance of its centre from the tip";
  parameter Real lean(unit = "rad", displayUnit = "deg") = 0.5 "Angle between the axis and the vertical";
  parameter Real precession(unit = "rad/s") = 4 "Speed with which the axis goes round";
  parameter Real Ja(unit = "kg.m2") = m*radius^2/2 "Inertia about the axis";
  parameter Real Jt(unit = "kg.m2") = m*(3*radius^2 + thickness^2)/12 + m*l^2 "Inertia across the axis, about the tip";
  parameter Real spin(unit = "rad/s") = (m*world.g*l/precession + (Jt - Ja)*precession*cos(lean))/Ja "Speed of the disc for which this is steady";
  World world(direction = {0, 0, -1}, camera = {0.3, 0.3, 0.2}, target = {0, 0, 0.05});
  Object3D tip "Turns about a point that stays";
  Cylinder axle(parent = "tip", translation = {0, 0, 0.06}, length = 0.12, diameter = 0.006) "Only seen";
  Cylinder disc(parent = "tip", translation = {0, 0, l}, length = thickness, diameter = 2*radius, mass = m, color = "Gold");
  Spherical joint(obj1 = "world", obj2 = "tip", rotation = {lean, 0, 0}, w0 = {0, -spin*sin(lean), precession + spin*cos(lean)});
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Gyroscope;
