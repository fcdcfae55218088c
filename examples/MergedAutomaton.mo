model MergedAutomaton "The hybrid automaton with a variable of its own in each mode; one equation merges them"
  block Mode1 "Grows steadily"
    Real x(start = 1, fixed = true);
  equation
    der(x) = 1;
  end Mode1;

  block Mode2 "Decays"
    Real x(fixed = true);
  equation
    der(x) = -x;
  end Mode2;

  block Mode3 "Grows in waves"
    Real x(fixed = true);
  equation
    der(x) = 1 + sin(time + 0.5);
  end Mode3;

  Boolean a = time > 2.5 "Signal from outside";
  Mode1 mode1 "Begins with 1";
  Mode2 mode2(x(start = 2*x)) "Begins with twice the value that is found";
  Mode3 mode3(x(start = x)) "Goes on from the value that is found";
  Real x = if activeState(mode1) then mode1.x elseif activeState(mode2) then mode2.x else mode3.x "What is seen outside";
equation
  initialState(mode1);
  transition(mode1, mode2, x > 2);
  transition(mode2, mode3, a);
  transition(mode3, mode1, x >= 3);
  annotation(experiment(StopTime = 9, Tolerance = 1e-8));
end MergedAutomaton;
