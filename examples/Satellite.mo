model Satellite "A satellite with a reaction wheel, which is sped up, braked and locked"
  import Mutabor.Bodies.*;
  import Mutabor.Rotational.{Brake, Fixed, IdealClutch, Torque};
  World world(gravity = Gravity.none);
  Box hull(fixed = false, lengthX = 1, lengthY = 1, lengthZ = 1.5, mass = 200, angularVelocity = {0.02, 0, 0}, color = "Gold", transparency = 0.5);
  Cylinder wheel(diameter = 0.3, length = 0.05, mass = 5);
  RevoluteWithFlange bearing(obj1 = "hull", obj2 = "wheel", phi(fixed = true), w(fixed = true)) "Turns about z of the hull";
  Torque motor(tau = if time < 20 then 0.5 else 0);
  Brake brake(tau_max = 0.5, pressure = if time > 40 and time < 50 then 1 else 0);
  IdealClutch lock(engaged = time > 60);
  Fixed housing "What does not turn against the hull";
equation
  connect(motor.flange, bearing.flange);
  connect(brake.flange_b, bearing.flange);
  connect(lock.flange_a, housing.flange);
  connect(lock.flange_b, bearing.flange);
  annotation(experiment(StopTime = 80, Tolerance = 1e-8));
end Satellite;
