model TwoStageRocket3D "Two stages, joined by a weld that is released"
  import Mutabor.Bodies.*;

  model Stage "A stage with an engine at its bottom"
    parameter Real length(unit = "m") "Length";
    parameter Real height(unit = "m") "Height of its centre at the start";
    parameter Real diameter(unit = "m") "Diameter";
    parameter String color "Colour";
    parameter Real fmax(unit = "N") "Thrust at ignition";
    parameter Real ignition(unit = "s") "Time of ignition";
    parameter Real burnout(unit = "s") "Time at which nothing is left to burn";
    Real f(unit = "N") = if time >= ignition and time < burnout then fmax*(burnout - time)/(burnout - ignition) else 0 "Thrust";
    Cylinder hull(fixed = false, translation = {0, height, 0}, axis = 2, length = length, diameter = diameter, color = color) "Only seen";
    Object3D load(parent = "hull", mass = 100, inertia = identity(3));
    Object3D bottom(parent = "hull", translation = {0, -length/2, 0});
    Object3D top(parent = "hull", translation = {0, length/2, 0});
    WorldForce engine(object = "bottom", f = {0, f, 0});
  end Stage;

  World world;
  Stage stage1(length = 2, height = 1, diameter = 0.2, color = "Blue", fmax = 1e4, ignition = 0, burnout = 5);
  Stage stage2(length = 1, height = 2.5, diameter = 0.15, color = "Red", fmax = 2e3, ignition = 5, burnout = 15);
  Weld coupling(obj1 = "stage1.top", obj2 = "stage2.bottom", active = time < 5);
  Removal burntOut(object = "stage1.hull", active = time >= 10) "The first stage is of no interest any more";
  annotation(experiment(StopTime = 15, Tolerance = 1e-8));
end TwoStageRocket3D;
