model Sawtooth "A state that falls back 6,744 times"
  Real x(start = 0, fixed = true);
  discrete Integer count(start = 0, fixed = true);
equation
  der(x) = 1 + 0.3*cos(time);
  when x > 1 then
    reinit(x, 0);
    count = pre(count) + 1;
  end when;
  annotation (experiment(StopTime = 6745, Tolerance = 1e-6));
end Sawtooth;
