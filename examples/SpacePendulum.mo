model SpacePendulum "A steel bar on a hinge, damped by a component of drive trains"
  import Mutabor.Bodies.*;
  import Mutabor.Rotational.{Damper, Fixed};
  parameter Real L(unit = "m") = 1 "Length";
  World world;
  Object3D hinge "The end of the bar that the joint turns";
  Beam bar(parent = "hinge", translation = {L/2, 0, 0}, length = L, width = 0.2, thickness = 0.2, material = "Steel");
  RevoluteWithFlange joint(obj1 = "world", obj2 = "hinge", phi(fixed = true), w(fixed = true)) "Turns about z; at the start the bar is level";
  Damper damper(d = 100);
  Fixed support;
equation
  connect(support.flange, damper.flange_a);
  connect(damper.flange_b, joint.flange);
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end SpacePendulum;
