model HybridAutomaton "Three modes that share one variable; transitions carry entry actions"
  inner Real x(start = 1, fixed = true) "The variable that all modes move";
  Boolean a = time > 2.5 "Signal from outside";

  block Mode1 "Grows steadily"
    outer output Real x;
  equation
    der(x) = 1;
  end Mode1;

  block Mode2 "Decays"
    outer output Real x;
  equation
    der(x) = -x;
  end Mode2;

  block Mode3 "Grows in waves"
    outer output Real x;
  equation
    der(x) = 1 + sin(time + 0.5);
  end Mode3;

  Mode1 mode1;
  Mode2 mode2;
  Mode3 mode3;
equation
  initialState(mode1);
  transition(mode1, mode2, x > 2, actions = {reinit(x, 2*x)});
  transition(mode2, mode3, a);
  transition(mode3, mode1, x >= 3, actions = {reinit(x, 1)});
  annotation(experiment(StopTime = 9, Tolerance = 1e-8));
end HybridAutomaton;
