package Rocket "A rocket with two stages: the first is burnt out, separates and disappears from the model"
  connector Flange "Flange of a body that moves along a line"
    Real s(unit = "m") "Height";
    flow Real f(unit = "N") "Force into the component";
  end Flange;

  model Stage "Mass with an engine whose thrust falls to zero"
    parameter Real m(unit = "kg") = 100 "Mass";
    parameter Real F(unit = "N") "Thrust at ignition";
    parameter Real ignition(unit = "s") "Time of ignition";
    parameter Real cutoff(unit = "s") "Time at which nothing is left to burn";
    parameter Real g(unit = "m/s2") = 9.81 "Gravity";
    Flange flange;
    Real h(unit = "m") "Height";
    Real v(unit = "m/s") "Velocity";
    Real thrust(unit = "N") = if time >= ignition and time < cutoff then F*(cutoff - time)/(cutoff - ignition) else 0;
  equation
    h = flange.s;
    der(h) = v;
    m*der(v) = flange.f + thrust - m*g;
  end Stage;

  model Joint "Holds the stages together"
    parameter Real L(unit = "m") = 2.5 "Distance of the stages";
    Flange a "Lower stage";
    Flange b "Upper stage";
  equation
    b.s = a.s + L;
    a.f + b.f = 0;
  end Joint;

  model None "Nothing"
  end None;

  model Flight "2 states while the stages are joined, 4 after the separation, 2 when the first stage is no longer of interest"
    Stage stage1(F = 1e4, ignition = 0, cutoff = 5, h(start = 0, fixed = true), v(start = 0, fixed = true));
    Stage stage2(F = 2e3, ignition = 5, cutoff = 15);
    Joint joint;
    None separated, discarded;
  equation
    connect(stage1.flange, joint.a);
    connect(joint.b, stage2.flange);
    initialState(joint);
    transition(joint, separated, time >= 5);
    initialState(stage1);
    transition(stage1, discarded, time >= 10);
    annotation(experiment(StopTime = 15, Tolerance = 1e-8));
  end Flight;
end Rocket;
