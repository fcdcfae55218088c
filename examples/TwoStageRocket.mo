package TwoStageRocket "A rocket with two stages: together, apart, and the second one alone"
  constant Real g(unit = "m/s2") = 9.81 "Gravity";

  partial model Data "What both descriptions share"
    parameter Real m1(unit = "kg") = 100 "Mass of the first stage";
    parameter Real m2(unit = "kg") = 100 "Mass of the second stage";
    parameter Real f1max(unit = "N") = 1e4 "Thrust of the first stage at the start";
    parameter Real f2max(unit = "N") = 2e3 "Thrust of the second stage when it is ignited";
    parameter Real t1(unit = "s") = 5 "The first stage is burnt out and separates, the second one is ignited";
    parameter Real t2(unit = "s") = 10 "The first stage is lost";
    parameter Real t3(unit = "s") = 15 "The second stage is burnt out";
    annotation(experiment(StopTime = 15, Tolerance = 1e-8));
  end Data;

  connector Flange "Flange of a body that moves along a line"
    Real h(unit = "m") "Height";
    flow Real f(unit = "N") "Force into the component";
  end Flange;

  model Stage "Mass with an engine whose thrust falls to zero"
    parameter Real m(unit = "kg") "Mass";
    parameter Real fmax(unit = "N") "Thrust at ignition";
    parameter Real ignition(unit = "s") "Time of ignition";
    parameter Real burnout(unit = "s") "Time at which nothing is left to burn";
    Flange flange;
    Real h(unit = "m") "Height";
    Real v(unit = "m/s") "Velocity";
    Real f(unit = "N") = if time >= ignition and time < burnout then fmax*(burnout - time)/(burnout - ignition) else 0 "Thrust";
  equation
    h = flange.h;
    der(h) = v;
    m*der(v) = flange.f + f - m*g;
  end Stage;

  model Load "Mass that another one carries"
    parameter Real m(unit = "kg") "Mass";
    Flange flange;
    Real v(unit = "m/s") "Velocity";
  equation
    der(flange.h) = v;
    m*der(v) = flange.f - m*g;
  end Load;

  model Lost "What nobody looks at any more"
  end Lost;

  model Machine "Two state machines: what the first stage is, and what the second one is"
    extends Data;
    Stage stage1(m = m1, fmax = f1max, ignition = 0, burnout = t1, h(start = 0, fixed = true), v(start = 0, fixed = true));
    Lost lost;
    Load load(m = m2) "The second stage, as long as the first one carries it";
    Stage stage2(m = m2, fmax = f2max, ignition = t1, burnout = t3, h(start = stage1.h, fixed = true), v(start = stage1.v, fixed = true));
  equation
    connect(stage1.flange, load.flange);
    initialState(stage1);
    transition(stage1, lost, time >= t2);
    initialState(load);
    transition(load, stage2, time >= t1);
  end Machine;

  model Switched "Equations that depend on conditions"
    extends Data;
    Boolean apart = time >= t1, lost = time >= t2;
    Real h1(start = 0, fixed = true, unit = "m") "Height of the first stage";
    Real v1(start = 0, fixed = true, unit = "m/s") "Velocity of the first stage";
    Real f1(unit = "N") "Thrust of the first stage";
    Real h2(start = h1, fixed = true, unit = "m") "Height of the second stage";
    Real v2(start = v1, fixed = true, unit = "m/s") "Velocity of the second stage";
    Real f2(unit = "N") "Thrust of the second stage";
  equation
    if lost then // nothing is left to say of the first stage
    elseif apart then
      f1 = 0;
      der(h1) = v1;
      m1*der(v1) = f1 - m1*g;
    else
      f1 = f1max*(t1 - time)/t1;
      der(h1) = v1;
      (m1 + m2)*der(v1) = f1 - (m1 + m2)*g;
    end if;
    if apart then
      f2 = if time < t3 then f2max*(t3 - time)/(t3 - t1) else 0;
      der(h2) = v2;
      m2*der(v2) = f2 - m2*g;
    end if;
  end Switched;
end TwoStageRocket;
