model Brusselator "Two substances that react and diffuse: large, stiff and nonlinear"
  parameter Integer n = 500 "Number of points";
  constant Real pi = 3.141592653589793;
  final parameter Real c = 0.02*(n + 1)^2;
  Real u[n](start = {1 + sin(2*pi*i/(n + 1)) for i in 1:n}, each fixed = true);
  Real v[n](each start = 3, each fixed = true);
equation
  der(u[1]) = 1 + u[1]^2*v[1] - 4*u[1] + c*(1 - 2*u[1] + u[2]);
  der(v[1]) = 3*u[1] - u[1]^2*v[1] + c*(3 - 2*v[1] + v[2]);
  for i in 2:n - 1 loop
    der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i] + c*(u[i - 1] - 2*u[i] + u[i + 1]);
    der(v[i]) = 3*u[i] - u[i]^2*v[i] + c*(v[i - 1] - 2*v[i] + v[i + 1]);
  end for;
  der(u[n]) = 1 + u[n]^2*v[n] - 4*u[n] + c*(u[n - 1] - 2*u[n] + 1);
  der(v[n]) = 3*u[n] - u[n]^2*v[n] + c*(v[n - 1] - 2*v[n] + 3);
  annotation (experiment(StopTime = 10, Tolerance = 1e-6));
end Brusselator;
