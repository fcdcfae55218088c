model Robertson "Three substances with rates that differ by nine powers of ten"
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true, nominal = 1e-4), y3(start = 0, fixed = true);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
  annotation (experiment(StopTime = 4e4, Tolerance = 1e-6));
end Robertson;
