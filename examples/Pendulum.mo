model Pendulum "A pendulum in Cartesian coordinates: a constraint of index 3, which swings over the top"
  parameter Real L(unit = "m") = 1 "Length";
  parameter Real m(unit = "kg") = 1 "Mass";
  parameter Real g(unit = "m/s2") = 9.81 "Gravity";
  Real x(start = 0, fixed = true, unit = "m") "Horizontal position";
  Real y(start = -1, unit = "m") "Vertical position";
  Real vx(start = 6.5, fixed = true, unit = "m/s") "Horizontal velocity";
  Real vy(start = 0, unit = "m/s") "Vertical velocity";
  Real F(unit = "N/m") "Force of the rod, divided by its length";
  Real energy(unit = "J") "Kinetic and potential energy: stays what it was";
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y - m*g;
  x^2 + y^2 = L^2;
  energy = m*(vx^2 + vy^2)/2 + m*g*y;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end Pendulum;
