model SampledDrive "A drive with a fast controller of its speed and a slow one of its angle"
  parameter Real J(unit = "kg.m2") = 0.5 "Inertia";
  parameter Real d(unit = "N.m.s/rad") = 0.2 "Friction";
  parameter Real kPhi(unit = "1/s") = 2 "Gain of the controller of the angle";
  parameter Real kP(unit = "N.m.s/rad") = 4 "Gain of the controller of the speed";
  parameter Real kI(unit = "N.m/rad") = 10 "Gain of its integral";
  Real phi(start = 0, fixed = true, unit = "rad") "Angle";
  Real w(start = 0, fixed = true, unit = "rad/s") "Speed";
  Real tau(unit = "N.m") "Torque of the motor";
  Real wRef(start = 0, unit = "rad/s") "Wanted speed, 5 times a second";
  Real e(unit = "rad/s") "Control error, 50 times a second";
  Real x(start = 0, unit = "rad") "Integral of the error";
  Real tauRef(start = 0, unit = "N.m") "Wanted torque";
equation
  der(phi) = w;
  J*der(w) = tau - d*w;
  // Position: ticks at 0, 0.2, 0.4, …
  wRef = kPhi*(sample(if time < 0.5 then 0 else 1, Clock(1, 5)) - sample(phi));
  // Speed: ten times as fast.
  e = superSample(wRef, 10) - sample(w);
  x = previous(x) + interval(e)*e;
  tauRef = kP*e + kI*x;
  tau = hold(tauRef);
  annotation(experiment(StopTime = 4));
end SampledDrive;
