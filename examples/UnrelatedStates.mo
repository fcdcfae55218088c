model UnrelatedStates "A state machine whose states have nothing in common: one system ends, another begins"
  block Oscillator "Harmonic oscillator"
    Real p(start = 1, fixed = true) "Displacement";
    Real q(start = 0, fixed = true) "Rate of the displacement";
  equation
    der(p) = q;
    der(q) = -p;
  end Oscillator;

  block Delays "Three first order delays in series, after a unit step"
    parameter Real T(unit = "s") = 0.2 "Time constant of each delay";
    Real x1(start = 0, fixed = true) "Output of the first delay";
    Real x2(start = 0, fixed = true) "Output of the second delay";
    Real x3(start = 0, fixed = true) "Output of the third delay";
  equation
    T*der(x1) = 1 - x1;
    T*der(x2) = x1 - x2;
    T*der(x3) = x2 - x3;
  end Delays;

  Oscillator state1 "Two states, until 1.5 s";
  Delays state2 "Three states, from then on";
equation
  initialState(state1);
  transition(state1, state2, time >= 1.5);
  annotation(experiment(StopTime = 2.5, Tolerance = 1e-8));
end UnrelatedStates;
