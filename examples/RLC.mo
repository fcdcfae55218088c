package RLC "A series resonant circuit built from components"
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

  model Capacitor
    extends TwoPin;
    parameter Real C(unit = "F") = 1 "Capacitance";
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor
    extends TwoPin;
    parameter Real L(unit = "H") = 1 "Inductance";
  equation
    L*der(i) = v;
  end Inductor;

  model StepVoltage
    extends TwoPin;
    parameter Real V(unit = "V") = 1 "Height of the step";
    parameter Real startTime(unit = "s") = 0 "Time of the step";
  equation
    v = if time < startTime then 0 else V;
  end StepVoltage;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Circuit "Step response of R, L and C in series"
    StepVoltage source(V = 10, startTime = 0.1);
    Resistor resistor(R = 20);
    Inductor inductor(L = 0.1, i(start = 0, fixed = true));
    Capacitor capacitor(C = 1e-4, v(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, capacitor.p);
    connect(capacitor.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 0.2, Tolerance = 1e-8));
  end Circuit;
end RLC;
