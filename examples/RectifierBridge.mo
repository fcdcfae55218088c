model RectifierBridge "Four ideal diodes charge a capacitor from an alternating voltage"
  import Mutabor.Electrical.*;
  SineVoltage source(V = 325, f = 50);
  Resistor line(R = 20) "Resistance of source and line";
  Diode d1, d2 "From ground to the line and from there to the load";
  Diode d3, d4 "The same at the other end of the source";
  Capacitor c(C = 1e-4, v(start = 0, fixed = true)) "Smooths the voltage";
  Resistor load(R = 500);
  Ground ground;
equation
  connect(source.p, line.p);
  connect(line.n, d1.n);
  connect(line.n, d2.p);
  connect(source.n, d3.n);
  connect(source.n, d4.p);
  connect(d2.n, c.p);
  connect(d4.n, c.p);
  connect(c.p, load.p);
  connect(d1.p, ground.p);
  connect(d3.p, ground.p);
  connect(c.n, ground.p);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 0.06, Tolerance = 1e-8));
end RectifierBridge;
