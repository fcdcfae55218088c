model IdealClutch "Two shafts that an ideal clutch joins and releases: the number of states changes"
  parameter Real j1(unit = "kg.m2") = 1 "Inertia of shaft 1";
  parameter Real j2(unit = "kg.m2") = 2 "Inertia of shaft 2";
  parameter Real k1(unit = "N.m.s/rad") = 0.01 "Friction of shaft 1";
  parameter Real k2(unit = "N.m.s/rad") = 0.0125 "Friction of shaft 2";
  Real w1(start = 1, fixed = true, unit = "rad/s") "Speed of shaft 1";
  Real w2(start = 1.5, fixed = true, unit = "rad/s") "Speed of shaft 2";
  Real f1(unit = "N.m") "Torque on shaft 1";
  Real f2(unit = "N.m") "Torque on shaft 2";
  Boolean closed = time >= 5 and time < 7;
equation
  j1*der(w1) = -k1*w1 + f1;
  j2*der(w2) = -k2*w2 + f2;
  f1 + f2 = 0;
  if closed then
    w1 = w2;
  else
    f1 = 0;
  end if;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end IdealClutch;
