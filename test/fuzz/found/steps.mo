model HeatRod
  parameter Integer n = 20;
  Real a = 1e-2, dx = 1/n;
  Real T[n](start = 293.15, fixed = true);
equation
  der(T[1]) = a*(373.15 - T[1] + T[2] - T[1])/2;
  for i in 2:n - 1 loop
    der(T[i]) = a*(T[i - 1]*2*T[i] + T[i + 1])/dx^2;
  end for;
  der(T[n]) = T[n];
end HeatRod;
