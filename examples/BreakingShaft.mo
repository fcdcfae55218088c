package BreakingShaft "Two inertias, joined, free and joined again: the natural model of a shaft that breaks"
  connector Flange "Flange of a shaft"
    Real phi(unit = "rad") "Angle";
    flow Real tau(unit = "N.m") "Torque into the component";
  end Flange;

  model Inertia "Rigid shaft with inertia"
    parameter Real J(unit = "kg.m2") = 1 "Moment of inertia";
    Flange a "Left flange";
    Flange b "Right flange";
    Real phi(unit = "rad") "Angle";
    Real w(unit = "rad/s") "Speed";
  equation
    phi = a.phi;
    phi = b.phi;
    der(phi) = w;
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Torque "Constant torque"
    parameter Real tau(unit = "N.m") = 1 "Torque";
    Flange b;
  equation
    b.tau = -tau;
  end Torque;

  model Joined "Rigid connection"
    Flange a "Left flange";
    Flange b "Right flange";
  equation
    a.phi = b.phi;
    a.tau + b.tau = 0;
  end Joined;

  model Free "No connection"
    Flange a "Left flange";
    Flange b "Right flange";
  equation
    a.tau = 0;
    b.tau = 0;
  end Free;

  model Rejoined "Rigid connection at the angle that is found on entry"
    Flange a "Left flange";
    Flange b "Right flange";
    outer Real twist;
    discrete Real offset(start = twist, fixed = true, unit = "rad") "Angle that is kept";
  equation
    offset = pre(offset);
    a.phi = b.phi + offset;
    a.tau + b.tau = 0;
  end Rejoined;

  model Shaft "Breaks at 0.5 s; the halves are joined again at 1.5 s, in the position in which they are"
    Torque torque(tau = 3);
    Inertia inertia1(J = 2, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Inertia inertia2(J = 1);
    Joined joined;
    Free free;
    Rejoined rejoined;
    inner Real twist(unit = "rad") = inertia1.phi - inertia2.phi "Angle between the inertias";
  equation
    connect(torque.b, inertia1.a);
    connect(inertia1.b, joined.a);
    connect(inertia1.b, free.a);
    connect(inertia1.b, rejoined.a);
    connect(joined.b, inertia2.a);
    connect(free.b, inertia2.a);
    connect(rejoined.b, inertia2.a);
    initialState(joined);
    transition(joined, free, time >= 0.5);
    transition(free, rejoined, time >= 1.5);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Shaft;
end BreakingShaft;
