package Recipient "A closed vessel with a fluid that is liquid, boils, and is vapour: temperature and mass of vapour take turns as state"
  partial model Vessel "What holds in all phases"
    inner parameter Real m0(unit = "kg") = 100 "Mass of the fluid";
    inner parameter Real lambda(unit = "kJ/kg") = 5 "Heat of vaporisation";
    inner parameter Real Cliq(unit = "kJ/(kg.K)") = 0.2 "Heat capacity of the liquid";
    inner parameter Real Cvap(unit = "kJ/(kg.K)") = 0.08 "Heat capacity of the vapour";
    inner parameter Real Tcf(unit = "K") = 373 "Boiling temperature";
    inner Real Q(unit = "kW") "Heat flow into the vessel";
    inner Real T(start = 300, fixed = true, unit = "K") "Temperature";
    inner Real mvap(unit = "kg") "Mass of the vapour";
    Real mliq(unit = "kg") "Mass of the liquid";
    Liquid liquid;
    Equilibrium equilibrium;
    Vapour vapour;
  equation
    mliq + mvap = m0;
    initialState(liquid);
  end Vessel;

  block Liquid "All is liquid: T is the state"
    outer parameter Real m0, Cliq;
    outer Real Q;
    outer output Real T, mvap;
  equation
    m0*Cliq*der(T) = Q;
    mvap = 0;
  end Liquid;

  block Equilibrium "Liquid and vapour: the mass of the vapour is the state"
    outer parameter Real lambda, Tcf;
    outer Real Q;
    outer output Real T, mvap;
    Real Fcf(unit = "kg/s") "Mass flow from liquid to vapour";
  equation
    T = Tcf;
    der(mvap) = Fcf;
    lambda*Fcf = Q;
  end Equilibrium;

  block Vapour "All is vapour: T is the state"
    outer parameter Real m0, Cvap;
    outer Real Q;
    outer output Real T, mvap;
  equation
    m0*Cvap*der(T) = Q;
    mvap = m0;
  end Vapour;

  model Forced "Phases change at given times: temperature and masses jump there"
    extends Vessel;
  equation
    Q = if time < 28 then 20 else -20;
    transition(liquid, equilibrium, time >= 10);
    transition(equilibrium, vapour, time >= 20 and time < 30);
    transition(vapour, equilibrium, time >= 30);
    annotation(experiment(StopTime = 40, Tolerance = 1e-8));
  end Forced;

  model Physical "Phases change where temperature and masses say so: heated, then cooled from 120 s on"
    extends Vessel;
  equation
    Q = if time < 120 then 20 else -20;
    transition(liquid, equilibrium, T >= Tcf and Q > 0);
    transition(equilibrium, vapour, mliq <= 0 and Q > 0);
    transition(vapour, equilibrium, T <= Tcf and Q < 0);
    transition(equilibrium, liquid, mvap <= 0 and Q < 0, priority = 2);
    annotation(experiment(StopTime = 200, Tolerance = 1e-8));
  end Physical;
end Recipient;
