package Gripper "A gripper takes a mass, moves it and lets it go"
  model Throw "Taken where the gripper stands still, released at full speed: no impulse"
    parameter Real m(unit = "kg") = 2 "Mass";
    parameter Real pi = acos(-1);
    parameter Real tAttach(unit = "s") = pi "Time at which the gripper takes the mass";
    parameter Real tRelease(unit = "s") = 1.5*pi "Time at which it lets the mass go";
    parameter Real x0(unit = "m") = 2 "Position of the mass at the beginning";
    Real p(unit = "m") = 1 - cos(time) "Position of the gripper";
    Real x(start = x0, fixed = true, unit = "m") "Position of the mass";
    Real v(start = 0, fixed = true, unit = "m/s") "Velocity of the mass";
    Real f(unit = "N") "Force of the gripper";
    Boolean attached = time >= tAttach and time < tRelease;
  equation
    der(x) = v;
    m*der(v) = f;
    if attached then
      x = p;
    else
      f = 0;
    end if;
    annotation(experiment(StopTime = 6.283185307179586, Tolerance = 1e-8));
  end Throw;

  model Snatch "Taken by the moving gripper: the force has an impulse"
    extends Throw(tAttach = 0.5*pi, x0 = 1);
    annotation(experiment(StopTime = 6.283185307179586, Tolerance = 1e-8));
  end Snatch;
end Gripper;
