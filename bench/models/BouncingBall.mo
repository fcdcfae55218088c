model BouncingBall "More than 4,000 impacts"
  constant Real g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  discrete Integer count(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h < 0 then
    reinit(v, -0.9998*pre(v));
    count = pre(count) + 1;
  end when;
  annotation (experiment(StopTime = 2600, Tolerance = 1e-6));
end BouncingBall;
