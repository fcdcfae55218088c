model HeatRod "Heat conduction by the method of lines: large, sparse and stiff"
  parameter Integer n = 1000 "Number of cells";
  parameter Real a = 1 "Thermal diffusivity over the square of the length";
  final parameter Real k = a*n^2;
  Real T[n](each start = 0, each fixed = true) "Temperatures";
  Real T0 "Temperature at the driven end; the other end is insulated";
equation
  T0 = 1 + 0.5*sin(5*time);
  der(T[1]) = k*(T0 - 2*T[1] + T[2]);
  for i in 2:n - 1 loop
    der(T[i]) = k*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[n]) = k*(T[n - 1] - T[n]);
  annotation (experiment(StopTime = 2, Tolerance = 1e-6));
end HeatRod;
