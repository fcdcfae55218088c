model BouncingBall "A ball on a floor: impacts lose energy until the ball comes to rest"
  parameter Real e(min = 0, max = 1) = 0.7 "Coefficient of restitution";
  parameter Real g(unit = "m/s2") = 9.81 "Gravity";
  parameter Real vRest(unit = "m/s") = 1e-3 "Below this speed of impact the ball stays on the floor";
  Real h(start = 1, fixed = true, unit = "m") "Height";
  Real v(start = 0, fixed = true, unit = "m/s") "Velocity";
  Boolean flying(start = true, fixed = true) "False once the ball rests";
equation
  der(h) = v;
  der(v) = if flying then -g else 0;
  when h < 0 then
    reinit(v, if pre(v) < -vRest then -e*pre(v) else 0);
    reinit(h, 0);
    flying = pre(v) < -vRest;
  end when;
  annotation(experiment(StopTime = 3, Tolerance = 1e-8));
end BouncingBall;
