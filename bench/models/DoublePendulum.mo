model DoublePendulum "Two rods in angles, not stiff: a small linear system in every evaluation"
  constant Real g = 9.81;
  Real phi1(start = 1, fixed = true), phi2(start = 1.5, fixed = true);
  Real w1(start = 0, fixed = true), w2(start = 0, fixed = true);
equation
  w1 = der(phi1);
  w2 = der(phi2);
  2*der(w1) + cos(phi1 - phi2)*der(w2) = -w2^2*sin(phi1 - phi2) - 2*g*sin(phi1);
  cos(phi1 - phi2)*der(w1) + der(w2) = w1^2*sin(phi1 - phi2) - g*sin(phi2);
  annotation (experiment(StopTime = 20, Tolerance = 1e-6));
end DoublePendulum;
