model Ladder "RLC ladder with a sine source: large, sparse, waves"
  parameter Integer n = 500 "Number of sections";
  parameter Real L = 1e-6 "Inductance of a section";
  parameter Real C = 1e-9 "Capacitance of a section";
  parameter Real R = 0.05 "Series resistance of a section";
  parameter Real Rsource = 30 "Resistance of the source";
  parameter Real Rload = 50 "Resistance at the end";
  parameter Real f = 1e6 "Frequency of the source";
  constant Real pi = 3.141592653589793;
  Real i[n](each start = 0, each fixed = true) "Currents of the inductors";
  Real v[n](each start = 0, each fixed = true) "Voltages of the capacitors";
equation
  L*der(i[1]) = sin(2*pi*f*time) - v[1] - (R + Rsource)*i[1];
  for j in 2:n loop
    L*der(i[j]) = v[j - 1] - v[j] - R*i[j];
  end for;
  for j in 1:n - 1 loop
    C*der(v[j]) = i[j] - i[j + 1];
  end for;
  C*der(v[n]) = i[n] - v[n]/Rload;
  annotation (experiment(StopTime = 5e-5, Tolerance = 1e-6));
end Ladder;
