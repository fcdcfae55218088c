model Oscillators "Masses between springs that harden, not stiff and without damping"
  parameter Integer n = 200 "Number of masses";
  constant Real pi = 3.141592653589793;
  Real x[n](start = {sin(4*pi*i/(n + 1)) for i in 1:n}, each fixed = true) "Displacements";
  Real v[n](each start = 0, each fixed = true) "Velocities";
  Real f[n + 1] "Pull of the springs";
equation
  f[1] = x[1] + 0.5*x[1]^3;
  for i in 2:n loop
    f[i] = x[i] - x[i - 1] + 0.5*(x[i] - x[i - 1])^3;
  end for;
  f[n + 1] = -x[n] - 0.5*x[n]^3;
  for i in 1:n loop
    der(x[i]) = v[i];
    der(v[i]) = f[i + 1] - f[i];
  end for;
  annotation (experiment(StopTime = 100, Tolerance = 1e-6));
end Oscillators;
