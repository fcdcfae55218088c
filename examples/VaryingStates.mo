package VaryingStates "The smallest models whose number of states changes"
  model OneToNone "x is a state, then a constant: the model of specification issue 2411"
    Real x(start = 0, fixed = true);
  equation
    if time < 0.5 then
      der(x) = 10;
    else
      x = -5;
    end if;
    annotation(experiment(StopTime = 1));
  end OneToNone;

  model OneToTwo "b follows a, then goes its own way"
    Real a(start = 1, fixed = true);
    Real b;
  equation
    der(a) = 1;
    if time <= 3 then
      b = a;
    else
      der(b) = -1;
    end if;
    annotation(experiment(StopTime = 4));
  end OneToTwo;
end VaryingStates;
