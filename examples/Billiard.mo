model Billiard "A ball that slides, rolls, and breaks a triangle of balls"
  import Mutabor.Bodies.*;
  parameter Integer rows = 5 "Of the triangle, up to 5";
  parameter Integer n = div(rows*(rows + 1), 2) "Number of balls in it";
  parameter Real d(unit = "m") = 0.0572 "Diameter of a ball";
  parameter Real gap(unit = "m") = 1e-4 "Between two balls of the triangle";
  parameter Real speed(unit = "m/s") = 2.5 "Of the cue ball at the start, at which it does not turn";
  parameter Integer row[15] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4} "In which row a ball lies";
  parameter Integer place[15] = {0, -1, 1, -2, 0, 2, -3, -1, 1, 3, -4, -2, 0, 2, 4} "Where in its row, in half balls from the middle";
  World world(direction = {0, 0, -1}, camera = {-0.9, -0.8, 0.9}, target = {0.25, 0, 0});
  ContactLaw balls(material1 = "BilliardBall", restitution = 0.95, friction = 0, stiffness = 1e-2);
  ContactLaw cloth(material1 = "BilliardBall", material2 = "BilliardTable", restitution = 0, friction = 0.25, stiffness = 1e-2);
  ContactLaw cushion(material1 = "BilliardBall", material2 = "BilliardCushion", restitution = 0.8, friction = 0.2, stiffness = 1e-1);
  Box table(parent = "world", translation = {0, 0, -0.025}, lengthX = 2, lengthY = 1, lengthZ = 0.05, material = "BilliardTable", contact = true);
  Box cushions[4](
    each parent = "table", translation = {{-1.02, 0, 0.01}, {1.02, 0, 0.01}, {0, -0.52, 0.01}, {0, 0.52, 0.01}},
    lengthX = {0.04, 0.04, 2.08, 2.08}, lengthY = {1, 1, 0.04, 0.04}, each lengthZ = 0.11, each material = "BilliardCushion", each contact = true);
  Sphere cue(
    fixed = false, translation = {-0.8, 0, d/2}, velocity = {speed, 0, 0},
    diameter = d, material = "BilliardBall", contact = true, color = "White");
  Sphere ball[n](
    each fixed = false, translation = {{0.3 + sqrt(0.75)*row[k]*(d + gap), place[k]*(d + gap)/2, d/2} for k in 1:n},
    each diameter = d, each material = "BilliardBall", each contact = true, each color = "FireBrick");
  annotation(experiment(StopTime = 1.2, Tolerance = 1e-6));
end Billiard;
