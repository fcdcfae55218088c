model BreakingChain "A chain with a weight swings down and breaks where its weld is too weak"
  import Mutabor.Bodies.*;

  model Link "A rod with a hinge at its upper end"
    parameter String on "Object that it hangs on";
    parameter Real start(unit = "rad", displayUnit = "deg") = 0 "Angle against what it hangs on";
    Object3D top;
    Capsule rod(parent = "top", translation = {0.1, 0, 0}, axis = 1, length = 0.16, diameter = 0.03, mass = 0.2);
    Object3D bottom(parent = "top", translation = {0.2, 0, 0});
    Revolute hinge(obj1 = on, obj2 = "top", phi0 = start);
  end Link;

  parameter Real fmax(unit = "N") = 50 "Force that the weld stands";
  World world;
  Link link1(on = "world");
  Link link2(on = "link1.bottom");
  Link link3(on = "link2.bottom");
  Sphere weight(fixed = false, parent = "link3.bottom", translation = {0.05, 0, 0}, diameter = 0.1, mass = 2, color = "FireBrick");
  Weld weld(obj1 = "link3.bottom", obj2 = "weight", active = not broken);
  ReactionSensor load(joint = "weld");
  Real f(unit = "N") = sqrt(load.f*load.f) "Force in the weld";
  Boolean broken(start = false, fixed = true);
equation
  when f > fmax then
    broken = true;
  end when;
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
end BreakingChain;
