model ChargeSharing "An ideal switch connects two charged capacitors: charge is conserved, the current has an impulse"
  parameter Real C1(unit = "F") = 1 "First capacitance";
  parameter Real C2(unit = "F") = 2 "Second capacitance";
  Real v1(start = 10, fixed = true, unit = "V") "Voltage of the first capacitor";
  Real v2(start = 1, fixed = true, unit = "V") "Voltage of the second capacitor";
  Real i(unit = "A") "Current from the first to the second";
  Boolean closed = time >= 1;
equation
  C1*der(v1) = -i;
  C2*der(v2) = i;
  if closed then
    v1 = v2;
  else
    i = 0;
  end if;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end ChargeSharing;
