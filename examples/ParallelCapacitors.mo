package ParallelCapacitors "A capacitor parallel to another one is taken out and put back: constraints between states come and go"
  connector Pin "Electrical pin"
    Real v(unit = "V") "Potential";
    flow Real i(unit = "A") "Current into the component";
  end Pin;

  partial model TwoPin "Component with two pins"
    Pin p "Positive pin";
    Pin n "Negative pin";
    Real v(unit = "V") "Voltage between the pins";
    Real i(unit = "A") "Current from p to n";
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
    i = p.i;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1 "Resistance";
  equation
    v = R*i;
  end Resistor;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Capacitor
    extends TwoPin;
    parameter Real C(unit = "F") = 1 "Capacitance";
  equation
    C*der(v) = i;
  end Capacitor;

  model ConstantVoltage
    extends TwoPin;
    parameter Real V(unit = "V") = 1 "Voltage";
  equation
    v = V;
  end ConstantVoltage;

  model Circuit "c1 is replaced by r2 from 0.5 s to 1 s"
    parameter Boolean history = true "c1 comes back with the charge it had; otherwise with its start value";
    ConstantVoltage source(V = 10);
    Resistor r1(R = 100);
    Capacitor c2(C = 2e-3, v(start = 0, fixed = true));
    Capacitor c1(C = 1e-3, v(start = 0, fixed = true)) "First state of the machine: has the voltage of c2";
    Resistor r2(R = 50) "Second state of the machine";
    Ground ground;
  equation
    connect(source.p, r1.p);
    connect(r1.n, c2.p);
    connect(c2.p, c1.p);
    connect(c2.p, r2.p);
    connect(c2.n, ground.p);
    connect(c1.n, ground.p);
    connect(r2.n, ground.p);
    connect(source.n, ground.p);
    initialState(c1);
    transition(c1, r2, time >= 0.5 and time < 1);
    transition(r2, c1, time >= 1, reset = not history);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Circuit;
end ParallelCapacitors;
