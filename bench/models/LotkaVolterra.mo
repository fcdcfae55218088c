model LotkaVolterra "Predators and prey over a long time: small and not stiff"
  parameter Real alpha = 1.1;
  parameter Real beta = 0.4;
  parameter Real gamma = 0.4;
  parameter Real delta = 0.1;
  Real prey(start = 10, fixed = true);
  Real predators(start = 5, fixed = true);
equation
  der(prey) = prey*(alpha - beta*predators);
  der(predators) = predators*(delta*prey - gamma);
  annotation (experiment(StopTime = 1000, Tolerance = 1e-6));
end LotkaVolterra;
