model CartesianPendulum "A pendulum in Cartesian coordinates: index 3, and no coordinate is good everywhere"
  constant Real g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0);
  Real vx, vy(start = 0, fixed = true);
  Real pull;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -pull*x;
  der(vy) = -pull*y - g;
  x^2 + y^2 = 1;
  annotation (experiment(StopTime = 20, Tolerance = 1e-6));
end CartesianPendulum;
