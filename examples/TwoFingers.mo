model TwoFingers "Two fingers grip a box by friction alone, lift it, and let it slip"
  import Mutabor.Bodies.*;
  import Mutabor.Translational.{Damper, Fixed, Force, Position};
  parameter Real height(unit = "m") = 0.1 "How far the hand goes up";
  parameter Real firm(unit = "N") = 8 "Force of a finger that holds the box";
  parameter Real loose(unit = "N") = 1 "Force of a finger that does not";
  Real grip(unit = "N") = if time < 2 then firm else loose "Force of each finger";
  World world(direction = {0, 0, -1}, camera = {0.25, -0.45, 0.3}, target = {0, 0, 0.09});
  ContactLaw law(restitution = 0, friction = 0.6);
  Box table(parent = "world", translation = {0, 0, -0.01}, lengthX = 0.3, lengthY = 0.2, lengthZ = 0.02, material = "DryWood", contact = true);
  Box box(fixed = false, translation = {0, 0, 0.025}, lengthX = 0.05, lengthY = 0.05, lengthZ = 0.05, material = "Aluminium", contact = true, color = "Gold");

  Object3D hand;
  Box palm(parent = "hand", translation = {0, 0, 0.1}, lengthX = 0.14, lengthY = 0.03, lengthZ = 0.02, mass = 0.5, color = "DimGray");
  PrismaticWithFlange lift(obj1 = "world", obj2 = "hand", axis = {0, 0, 1});
  Position motor(s_ref = if time < 0.5 then 0 elseif time < 1.5 then height*(1 - cos(3.141592653589793*(time - 0.5)))/2 else height);

  model Finger "Slides on the hand; a force presses it inwards"
    parameter Real side "-1: from the left, 1: from the right";
    input Real force(unit = "N");
    Box tip(lengthX = 0.01, lengthY = 0.03, lengthZ = 0.08, material = "Rubber", contact = true, color = "SteelBlue");
    Object3D rail(parent = "hand", translation = {0.04*side, 0, 0.05});
    PrismaticWithFlange joint(obj1 = "rail", obj2 = "tip", axis = {-side, 0, 0}, s(fixed = true), v(fixed = true));
    Force drive(f = force);
    Damper damper(d = 40) "So that it does not hit the box";
    Fixed housing "What does not move against the hand";
  equation
    connect(drive.flange, joint.flange);
    connect(damper.flange_a, housing.flange);
    connect(damper.flange_b, joint.flange);
  end Finger;
  Finger left(side = -1, force = grip), right(side = 1, force = grip);
  ContactSensor touch1(object1 = "left.tip", object2 = "box"), touch2(object1 = "right.tip", object2 = "box");
  ContactSensor ground(object1 = "table", object2 = "box");
equation
  connect(motor.flange, lift.flange);
  annotation(experiment(StopTime = 2.5, Tolerance = 1e-6));
end TwoFingers;
