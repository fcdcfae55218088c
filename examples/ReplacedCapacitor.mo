package ReplacedCapacitor "A capacitor that is replaced by a resistor: by a state machine, and by a switch in plain Modelica"
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

  model Machine "The capacitor and the resistor are the states of a machine"
    ConstantVoltage source(V = 10);
    Resistor r1(R = 10);
    Capacitor c(C = 0.01, v(start = 0, fixed = true)) "Until 0.5 s";
    Resistor r2(R = 5) "From then on";
    Ground ground;
  equation
    connect(source.p, r1.p);
    connect(r1.n, c.p);
    connect(r1.n, r2.p);
    connect(c.n, ground.p);
    connect(r2.n, ground.p);
    connect(source.n, ground.p);
    initialState(c);
    transition(c, r2, time >= 0.5);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Machine;

  model Switch "Connects p with n1 or with n2; a conductance closes the circuit of the other one"
    Pin p "Common pin";
    Pin n1 "First alternative";
    Pin n2 "Second alternative";
    input Boolean first "n1 is connected";
    parameter Real Gsmall(unit = "S") = 1 "Conductance at the open pin";
  equation
    p.v = if first then n1.v else n2.v;
    0 = p.i + (if first then n1.i else n2.i);
    0 = if first then Gsmall*n2.v - n2.i else Gsmall*n1.v - n1.i;
  end Switch;

  model Switched "The same circuit without a state machine"
    ConstantVoltage source(V = 10);
    Resistor r1(R = 10);
    Capacitor c(C = 0.01, v(start = 0, fixed = true));
    Resistor r2(R = 5);
    Switch switch(first = time < 0.5);
    Ground ground;
  equation
    connect(source.p, r1.p);
    connect(r1.n, switch.p);
    connect(switch.n1, c.p);
    connect(switch.n2, r2.p);
    connect(c.n, ground.p);
    connect(r2.n, ground.p);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Switched;
end ReplacedCapacitor;
