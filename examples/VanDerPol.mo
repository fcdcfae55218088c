model VanDerPol "The oscillator of van der Pol: stiff for large mu"
  parameter Real mu = 100 "Damping";
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
  annotation(experiment(StopTime = 300));
end VanDerPol;
