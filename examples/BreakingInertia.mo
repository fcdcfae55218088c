package BreakingInertia "A shaft breaks in two: one inertia is replaced by two that are not connected"
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

  model SpringDamper "Spring and damper to the ground"
    parameter Real c(unit = "N.m/rad") = 1 "Stiffness";
    parameter Real d(unit = "N.m.s/rad") = 0 "Damping";
    Flange a;
  equation
    a.tau = c*a.phi + d*der(a.phi);
  end SpringDamper;

  model Whole "The shaft in one piece"
    Flange a "Left flange";
    Flange b "Right flange";
    Inertia inertia1(J = 10);
  equation
    connect(a, inertia1.a);
    connect(inertia1.b, b);
  end Whole;

  model Broken "The shaft in two pieces"
    Flange a "Left flange";
    Flange b "Right flange";
    outer Real phi;
    outer Real w;
    Inertia inertia2a(J = 9) "Moves with what is connected on the left: needs no initial values";
    Inertia inertia2b(J = 1, phi(start = phi, fixed = true), w(start = w, fixed = true))
      "Begins with angle and speed of the whole";
  equation
    connect(a, inertia2a.a);
    connect(inertia2b.b, b);
  end Broken;

  model DriveTrain "A torque turns an inertia, the shaft that breaks, and a spring: 2 states, then 4"
    Torque torque(tau = 10);
    Inertia inertia3(J = 2);
    Whole state1 "Until 0.5 s";
    Broken state2 "From then on";
    SpringDamper springDamper(c = 1000, d = 2);
    inner Real phi(start = 0, fixed = true, unit = "rad") = inertia3.phi;
    inner Real w(start = 0, fixed = true, unit = "rad/s") = inertia3.w;
  equation
    connect(torque.b, inertia3.a);
    connect(inertia3.b, state1.a);
    connect(inertia3.b, state2.a);
    connect(state1.b, springDamper.a);
    connect(state2.b, springDamper.a);
    initialState(state1);
    transition(state1, state2, time > 0.5);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end DriveTrain;
end BreakingInertia;
