model ClockedMachines "A hierarchical state machine of clocked counters, with two machines side by side in one state"
  inner Integer v(start = 0) "Shared by all states";
  State1 state1;
  State2 state2;

  block State1
    inner Integer count(start = 0) "Rounds";
    inner outer output Integer v;
    block Up
      outer output Integer v;
    equation
      v = previous(v) + 2;
    end Up;
    block Down
      outer output Integer v;
    equation
      v = previous(v) - 1;
    end Down;
    block Turn
      outer output Integer count;
    equation
      count = previous(count) + 1;
    end Turn;
    block Rest
    end Rest;
    block Wait
      outer input Integer v;
      Integer i(start = 0), w;
    equation
      i = previous(i) + 1;
      w = v;
    end Wait;
    block Ready
      Integer j(start = 0);
    equation
      j = previous(j) + 1;
    end Ready;
    Up stateA;
    Down stateB;
    Turn stateC;
    Rest stateD;
    Wait stateX;
    Ready stateY;
  equation
    initialState(stateA);
    transition(stateA, stateB, v >= 6, immediate = false);
    transition(stateB, stateC, v == 0, immediate = false);
    transition(stateC, stateA, true, immediate = false, priority = 2);
    transition(stateC, stateD, count >= 2, immediate = false);
    initialState(stateX);
    transition(stateX, stateY, stateX.i > 20, immediate = false, reset = false);
  end State1;

  block State2
    outer output Integer v;
  equation
    when Clock(1, 10) then
      v = previous(v) + 5;
    end when;
  end State2;
equation
  initialState(state1);
  transition(state1, state2, activeState(state1.stateD) and activeState(state1.stateY), immediate = false);
  transition(state2, state1, v >= 20, immediate = false);
  annotation(experiment(StopTime = 6));
end ClockedMachines;
