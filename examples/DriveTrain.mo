model DriveTrain "An engine drives a car through a clutch and a gear; a freewheel lets the car roll on"
  import Mutabor.Rotational.*;
  Torque engine(tau = if time < 4 then 60 else -20) "Accelerates, then brakes";
  Inertia motor(J = 0.5, phi(start = 0, fixed = true), w(start = 100, fixed = true)) "What turns before the clutch";
  IdealClutch clutch(engaged = time >= 1, phi_rel(start = 0, fixed = true)) "Locks at 1 s";
  IdealGear gear(ratio = 2);
  OneWayClutch freewheel "The gear can push the car, the car cannot push the gear";
  Inertia car(J = 6, phi(start = 0, fixed = true), w(start = 10, fixed = true)) "Mass of the car, seen from the wheels";
  Damper drag(d = 0.2) "Resistance of the air";
  Fixed road;
equation
  connect(engine.flange, motor.flange_a);
  connect(motor.flange_b, clutch.flange_a);
  connect(clutch.flange_b, gear.flange_a);
  connect(gear.flange_b, freewheel.flange_a);
  connect(freewheel.flange_b, car.flange_a);
  connect(car.flange_b, drag.flange_b);
  connect(drag.flange_a, road.flange);
  annotation(experiment(StopTime = 7, Tolerance = 1e-8));
end DriveTrain;
