model BuckConverter "A switch, a diode and an inductor make 5 V of 12 V"
  import Mutabor.Electrical.*;
  ConstantVoltage source(V = 12);
  Switch switch "Closed for a share of each period";
  Diode diode "Takes over the current when the switch opens";
  Inductor inductor(L = 1e-4, i(start = 0, fixed = true));
  Capacitor capacitor(C = 1e-5, v(start = 0, fixed = true));
  Resistor load(R = 5);
  Ground ground;
  Mutabor.Blocks.BooleanPulse pulse(period = 2e-5, width = 5/12);
equation
  connect(pulse.y, switch.closed);
  connect(source.p, switch.p);
  connect(switch.n, inductor.p);
  connect(diode.n, inductor.p);
  connect(inductor.n, capacitor.p);
  connect(capacitor.p, load.p);
  connect(source.n, ground.p);
  connect(diode.p, ground.p);
  connect(capacitor.n, ground.p);
  connect(load.n, ground.p);
  annotation(experiment(StopTime = 5e-4, Tolerance = 1e-6));
end BuckConverter;
