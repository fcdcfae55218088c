model PendulumChain "Eight masses on rods in Cartesian coordinates: index 3, a system of all forces in every evaluation"
  parameter Integer n = 8;
  constant Real g = 9.81;
  Real x[n](start = {i*sin(0.5) for i in 1:n}, each fixed = true), y[n](start = {-i*cos(0.5) for i in 1:n});
  Real vx[n](each start = 0, each fixed = true), vy[n];
  Real dx[n], dy[n] "Rods";
  Real pull[n];
equation
  dx[1] = x[1];
  dy[1] = y[1];
  for i in 2:n loop
    dx[i] = x[i] - x[i - 1];
    dy[i] = y[i] - y[i - 1];
  end for;
  for i in 1:n loop
    der(x[i]) = vx[i];
    der(y[i]) = vy[i];
    dx[i]^2 + dy[i]^2 = 1;
  end for;
  for i in 1:n - 1 loop
    der(vx[i]) = -pull[i]*dx[i] + pull[i + 1]*dx[i + 1];
    der(vy[i]) = -pull[i]*dy[i] + pull[i + 1]*dy[i + 1] - g;
  end for;
  der(vx[n]) = -pull[n]*dx[n];
  der(vy[n]) = -pull[n]*dy[n] - g;
  annotation (experiment(StopTime = 10, Tolerance = 1e-6));
end PendulumChain;
