model BreakingPendulum "A pendulum whose rod breaks: index 3 with two states, then free flight with four"
  parameter Real L(unit = "m") = 1 "Length of the rod";
  parameter Real m(unit = "kg") = 1 "Mass";
  parameter Real g(unit = "m/s2") = 9.81 "Gravity";
  parameter Real tBreak(unit = "s") = 2 "Time at which the rod breaks";
  Real x(start = 1, fixed = true, unit = "m") "Horizontal position";
  Real y(start = 0, unit = "m") "Vertical position";
  Real vx(start = 0, unit = "m/s") "Horizontal velocity";
  Real vy(start = 0, fixed = true, unit = "m/s") "Vertical velocity";
  Real F(unit = "N/m") "Force of the rod, divided by its length: there is none after the break";
  Boolean broken = time >= tBreak;
equation
  der(x) = vx;
  der(y) = vy;
  if broken then
    m*der(vx) = 0;
    m*der(vy) = -m*g;
  else
    m*der(vx) = -F*x;
    m*der(vy) = -F*y - m*g;
    x^2 + y^2 = L^2;
  end if;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end BreakingPendulum;
