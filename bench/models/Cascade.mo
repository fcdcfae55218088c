model Cascade "Delays of first order one behind the other: large and triangular"
  parameter Integer n = 1000 "Number of delays";
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = n*(1 - x[1]);
  for i in 2:n loop
    der(x[i]) = n*(x[i - 1] - x[i]);
  end for;
  annotation (experiment(StopTime = 1, Tolerance = 1e-6));
end Cascade;
