model VanDerPol "Relaxation oscillation: small and stiff"
  parameter Real mu = 1000;
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
  annotation (experiment(StopTime = 2000, Tolerance = 1e-6));
end VanDerPol;
