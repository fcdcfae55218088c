package TwoMachines "A circuit with two state machines: a diode that breaks, and a load that is exchanged and comes back"
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

  model SineVoltage
    extends TwoPin;
    parameter Real V(unit = "V") = 1 "Amplitude";
    parameter Real f(unit = "Hz") = 1 "Frequency";
  equation
    v = V*sin(2*acos(-1)*f*time);
  end SineVoltage;

  model Diode "Ideal diode: no voltage when it conducts, no current when it blocks"
    extends TwoPin;
    Real s(start = 1) "Current when conducting, voltage when blocking";
    Boolean off = s < 0 "The diode blocks";
  equation
    v = if off then s else 0;
    i = if off then 0 else s;
  end Diode;

  model RealCapacitor "Capacitor with a resistor in series"
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1 "Resistance";
    parameter Real C(unit = "F") = 1 "Capacitance";
    Real vC(start = 0, fixed = true, unit = "V") "Voltage of the capacitor alone";
  equation
    v = R*i + vC;
    C*der(vC) = i;
  end RealCapacitor;

  model Circuit "Rectifier: the load loses its capacitor from 0.3 s to 0.7 s, the diode breaks at 0.9 s"
    SineVoltage source(V = 5, f = 2);
    Resistor r0(R = 1) "Resistance of the source";
    Diode diode "First state of the first machine";
    Resistor brokenDiode(R = 1000) "Second state of the first machine";
    Resistor load(R = 10);
    RealCapacitor c(R = 1, C = 0.05) "First state of the second machine";
    Resistor r2(R = 0.5) "Second state of the second machine";
    Ground ground;
  equation
    connect(source.p, r0.p);
    connect(r0.n, diode.p);
    connect(r0.n, brokenDiode.p);
    connect(diode.n, load.p);
    connect(brokenDiode.n, load.p);
    connect(load.p, c.p);
    connect(load.p, r2.p);
    connect(load.n, ground.p);
    connect(c.n, ground.p);
    connect(r2.n, ground.p);
    connect(source.n, ground.p);
    initialState(diode);
    transition(diode, brokenDiode, time > 0.9);
    initialState(c);
    transition(c, r2, time >= 0.3 and time < 0.7);
    transition(r2, c, time >= 0.7, reset = false) "The capacitor comes back with its charge";
    annotation(experiment(StopTime = 1.2, Tolerance = 1e-8));
  end Circuit;
end TwoMachines;
