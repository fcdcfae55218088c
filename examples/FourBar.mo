model FourBar "A motor turns the crank of a linkage of four hinges; the rocker swings to and fro"
  import Mutabor.Bodies.*;
  import Mutabor.Rotational.Speed;

  model Bar "A bar between two hinges"
    parameter Real length(unit = "m") "Distance of the hinges";
    parameter String color "Colour";
    Object3D a "One end";
    Beam beam(parent = "a", translation = {length/2, 0, 0}, length = length, width = 0.05, thickness = 0.02, material = "Aluminium", color = color);
    Object3D b(parent = "a", translation = {length, 0, 0}) "The other end";
  end Bar;

  World world;
  Object3D pivot(parent = "world", translation = {0.7, 0, 0}) "Where the rocker turns";
  Bar crank(length = 0.25, color = "FireBrick"), rod(length = 0.6, color = "Orange"), rocker(length = 0.5, color = "SteelBlue");
  RevoluteWithFlange motor(obj1 = "world", obj2 = "crank.a");
  Revolute joint2(obj1 = "crank.b", obj2 = "rod.a", phi0 = 1) "Start angles need only be near";
  Revolute joint3(obj1 = "pivot", obj2 = "rocker.a", phi0 = 1.8);
  Revolute joint4(obj1 = "rod.b", obj2 = "rocker.b") "Closes the loop";
  Speed drive(w_ref = 6);
equation
  connect(drive.flange, motor.flange);
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end FourBar;
