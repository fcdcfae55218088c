model HeatRod "Heat conduction in a rod: arrays and for-equations"
  parameter Integer n = 20 "Number of cells";
  parameter Real L(unit = "m") = 1 "Length";
  parameter Real a(unit = "m2/s") = 1e-2 "Thermal diffusivity";
  parameter Real TLeft(unit = "K") = 373.15 "Temperature of the left end";
  parameter Real TRight(unit = "K") = 293.15 "Temperature of the right end";
  Real T[n](each start = 293.15, each fixed = true, each unit = "K") "Temperatures of the cells";
protected
  parameter Real dx(unit = "m") = L/n "Length of a cell";
equation
  der(T[1]) = a*(2*(TLeft - T[1]) + T[2] - T[1])/dx^2;
  for i in 2:n - 1 loop
    der(T[i]) = a*(T[i - 1] - 2*T[i] + T[i + 1])/dx^2;
  end for;
  der(T[n]) = a*(T[n - 1] - T[n] + 2*(TRight - T[n]))/dx^2;
  annotation(experiment(StopTime = 20));
end HeatRod;
