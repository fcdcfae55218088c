model Arm "A robot takes a part from a table, lifts it, turns and throws it"
  import Mutabor.Bodies.*;
  import Mutabor.Blocks.Ramp;
  import Mutabor.Rotational.{IdealGear, Inertia, Torque};

  model Segment "A link of the arm: a beam with a joint at one end"
    parameter String on "Object on which the joint sits";
    parameter Real axis[3] = {0, 0, 1} "Axis of the joint";
    parameter Real start(unit = "rad", displayUnit = "deg") = 0 "Angle at the start";
    parameter Integer along = 1 "Direction of the beam: 1, 2, 3 for x, y, z";
    parameter Real length(unit = "m") = 0.4 "Length";
    parameter String color = "SteelBlue" "Colour";
    parameter Real direction[3] = {if along == i then 1 else 0 for i in 1:3};
    Object3D a "Turns about the joint";
    Beam beam(parent = "a", translation = length/2*direction, axis = along, length = length, width = 0.06, thickness = 0.04, material = "Aluminium", color = color);
    Object3D b(parent = "a", translation = length*direction) "The other end";
    RevoluteWithFlange joint(obj1 = on, obj2 = "a", axis = axis, phi0 = start, phi(fixed = true), w(fixed = true));
  end Segment;

  model Servo "A motor with a gear, and the control of its position"
    parameter Real ratio = 50 "Ratio of the gear";
    parameter Real kp(unit = "1/s") = 20 "Speed for an angle that is missing";
    parameter Real kv(unit = "N.m.s/rad") = 0.05 "Torque of the motor for a speed that is missing";
    parameter Real Ti(unit = "s") = 0.05 "Integral action time of the control of the speed";
    input Real target(unit = "rad", displayUnit = "deg") "Angle that the joint should have";
    Real error(unit = "rad/s") "Speed of the motor that is missing";
    Real sum(unit = "rad", start = 0, fixed = true) "Its integral";
    Torque motor(tau = kv*(error + sum/Ti));
    Inertia rotor(J = 1e-4);
    IdealGear gear(ratio = ratio);
    Mutabor.Rotational.Flange flange;
  equation
    error = kp*(ratio*target - rotor.phi) - rotor.w;
    der(sum) = error;
    connect(motor.flange, rotor.flange_a);
    connect(rotor.flange_b, gear.flange_a);
    connect(gear.flange_b, flange);
  end Servo;

  World world(camera = {1.3, 0.9, 1.6}, target = {0.1, 0.35, 0});
  Segment column(on = "world", axis = {0, 1, 0}, along = 2, length = 0.3, color = "DimGray");
  Segment upper(on = "column.b", start = 1.2);
  Segment lower(on = "upper.b", start = -1.4, color = "Orange");
  Ramp turning(height = 2, startTime = 2, duration = 1);
  Ramp lowering(height = -0.5, startTime = 0, duration = 1), lifting(height = 0.7, startTime = 1.5, duration = 1);
  Servo servo1(target = turning.y);
  Servo servo2(target = 1.2 + lowering.y + lifting.y);
  Servo servo3(target = -1.4);
  Boolean gripped = time >= 1.25 and time < 2.6 "Whether the hand is closed";
  Sphere part(fixed = false, translation = {0.61, 0.25, 0}, diameter = 0.06, mass = 0.5, color = "FireBrick");
  Weld table(obj1 = "world", obj2 = "part", active = time < 1.25) "Until the hand takes it, the part lies on a table";
  Weld grip(obj1 = "lower.b", obj2 = "part", active = gripped);
equation
  connect(servo1.flange, column.joint.flange);
  connect(servo2.flange, upper.joint.flange);
  connect(servo3.flange, lower.joint.flange);
  annotation(experiment(StopTime = 3.5, Tolerance = 1e-8));
end Arm;
