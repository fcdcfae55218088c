model PhaseControl "A thyristor lets through the end of each half wave: a dimmer"
  import Mutabor.Electrical.*;
  SineVoltage source(V = 325, f = 50);
  Thyristor thyristor;
  Resistor lamp(R = 100);
  Inductor choke(L = 0.1, i(start = 0, fixed = true));
  Ground ground;
  Mutabor.Blocks.BooleanPulse gate(period = 0.02, startTime = 0.004, width = 0.05) "Fires 4 ms after each zero of the voltage";
equation
  connect(gate.y, thyristor.fire);
  connect(source.p, thyristor.p);
  connect(thyristor.n, choke.p);
  connect(choke.n, lamp.p);
  connect(lamp.n, ground.p);
  connect(source.n, ground.p);
  annotation(experiment(StopTime = 0.06, Tolerance = 1e-8));
end PhaseControl;
