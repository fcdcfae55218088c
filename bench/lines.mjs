// Text of models that are too long to be written by hand.

/** A line of n resistors; at each node a diode, and a capacitor behind a resistor: one algebraic loop over all nodes. */
export function diodeLine(n) {
  const each = (write) => Array.from({ length: n }, (_, k) => write(k + 1)).join('\n');
  return `
connector Pin Real v; flow Real i; end Pin;
partial model TwoPin
  Pin p, n; Real v, i;
equation
  v = p.v - n.v; i = p.i; p.i + n.i = 0;
end TwoPin;
model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
model Capacitor extends TwoPin(v(start = 0, fixed = true)); parameter Real C = 1e-6; equation C*der(v) = i; end Capacitor;
model Diode extends TwoPin; parameter Real Is = 1e-6, Vt = 0.04; equation i = Is*(exp(v/Vt) - 1); end Diode;
model Source extends TwoPin; equation v = 5*sin(2*3.141592653589793*50*time); end Source;
model Ground Pin p; equation p.v = 0; end Ground;
model DiodeLine
  Source source; Ground ground;
  ${each((k) => `Resistor r${k}(R = 10), s${k}(R = 5); Diode d${k}; Capacitor c${k};`)}
equation
  connect(source.n, ground.p);
  connect(source.p, r1.p);
  ${each(
    (k) => `connect(r${k}.n, d${k}.p); connect(d${k}.n, ground.p);
  connect(r${k}.n, s${k}.p); connect(s${k}.n, c${k}.p); connect(c${k}.n, ground.p);`,
  )}
  ${each((k) => (k < n ? `connect(r${k}.n, r${k + 1}.p);` : ''))}
  annotation (experiment(StopTime = 0.02, Tolerance = 1e-6));
end DiodeLine;`;
}
