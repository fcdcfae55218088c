/** Components of circuits for tests. */

/** Components; diodes in the parametric form of one curve parameter, without parasitic resistances but for `Leaky`. */
export const parts = `
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model TwoPin
  Pin p, n;
  Real v = p.v - n.v;
  Real i = p.i;
equation
  p.i + n.i = 0;
end TwoPin;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Resistor
  extends TwoPin;
  parameter Real R = 1;
equation
  v = R*i;
end Resistor;
model Capacitor
  extends TwoPin;
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Inductor
  extends TwoPin;
  parameter Real L = 1;
equation
  L*der(i) = v;
end Inductor;
model Thyristor
  extends TwoPin;
  input Boolean fire;
  Real s(start = -1);
  Boolean off(start = true, fixed = true);
equation
  off = s < 0 or pre(off) and not fire;
  v = if off then s else 0;
  i = if off then 0 else s;
end Thyristor;
model Sine
  extends TwoPin;
  parameter Real V = 1;
  parameter Real w = 1;
  parameter Real phase = 0;
equation
  v = V*sin(w*time + phase);
end Sine;
model SineCurrent
  extends TwoPin;
  parameter Real I = 1;
  parameter Real w = 1;
equation
  i = I*sin(w*time);
end SineCurrent;
model Constant
  extends TwoPin;
  parameter Real V = 1;
equation
  v = V;
end Constant;
model Diode
  extends TwoPin;
  Real s(start = -1);
  Boolean off(start = true) = s < 0;
equation
  v = if off then s else 0;
  i = if off then 0 else s;
end Diode;
model Leaky "A diode that conducts a little when it blocks, and resists a little when it conducts"
  extends TwoPin;
  parameter Real Ron = 1e-3;
  parameter Real Goff = 1e-3;
  parameter Real knee = 0;
  Real s;
  Boolean off(start = true) = s < 0;
equation
  v = s*(if off then 1 else Ron) + knee;
  i = s*(if off then Goff else 1) + Goff*knee;
end Leaky;
model Switch
  extends TwoPin;
  input Boolean closed;
equation
  if closed then
    v = 0;
  else
    i = 0;
  end if;
end Switch;
`;
