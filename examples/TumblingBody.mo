model TumblingBody "A telephone, thrown in space, that turns over again and again: the axis of intermediate inertia is unstable"
  import Mutabor.Bodies.*;
  World world(gravity = Gravity.none);
  Box phone(
    fixed = false, mass = 0.2, lengthX = 0.15, lengthY = 0.07, lengthZ = 0.008,
    velocity = {0, 0.01, 0}, angularVelocity = {0.01, 10, 0}, color = "DarkSlateGray");
  Sensor motion(object = "phone", resolve = "phone") "Results along the axes of the phone";
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end TumblingBody;
