model Buck "A converter with an ideal switch and an ideal diode, some 10,000 changes"
  parameter Real V = 24, L = 1e-3, C = 1e-4, R = 10;
  Real i(start = 0, fixed = true) "Through the inductor";
  Real v(start = 0, fixed = true) "At the load";
  Real u "Before the inductor";
  Real s "Along the characteristic of the diode";
  Real iSwitch, iDiode;
  discrete Integer count(start = 0, fixed = true) "Of changes";
  discrete Boolean closed(start = true, fixed = true);
  Boolean conducting;
equation
  when sample(5e-5, 5e-5) then
    closed = not pre(closed);
  end when;
  L*der(i) = u - v;
  C*der(v) = i - v/R;
  iSwitch + iDiode = i;
  if closed then
    u = V;
  else
    iSwitch = 0;
  end if;
  conducting = s > 0;
  when {change(closed), change(conducting)} then
    count = pre(count) + 1;
  end when;
  if conducting then
    u = 0;
    iDiode = s;
  else
    iDiode = 0;
    u = -s;
  end if;
  annotation (experiment(StopTime = 0.49997, Tolerance = 1e-6));
end Buck;
