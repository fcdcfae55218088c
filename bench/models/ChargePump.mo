model ChargePump "A capacitor is charged, and joined with another one without a resistor: one state or two, 9,799 changes"
  parameter Real V = 5, R = 20, load = 1e3, C1 = 1e-6, C2 = 1e-5;
  Real u1(start = 0), u2(start = 0);
  Real i "From the source";
  Real j "From one capacitor to the other";
  discrete Boolean joined(start = false, fixed = true);
  discrete Integer count(start = 0, fixed = true);
initial equation
  u1 = 0;
  u2 = 0;
equation
  when sample(5e-5, 5e-5) then
    joined = not pre(joined);
    count = pre(count) + 1;
  end when;
  C1*der(u1) = i - j;
  C2*der(u2) = j - u2/load;
  if joined then
    u1 = u2;
    i = 0;
  else
    j = 0;
    i = (V - u1)/R;
  end if;
  annotation (experiment(StopTime = 0.48997, Tolerance = 1e-6));
end ChargePump;
