model StickSlip "A body that is pulled slowly by a spring moves in jerks"
  import Mutabor.Translational.*;
  Mass body(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Friction friction(f_slip = 1, peak = 2) "Holds twice as much as it brakes";
  Spring spring(c = 4);
  Speed pull(v_ref = 0.5) "Pulls at the other end of the spring";
equation
  connect(friction.flange_b, body.flange_a);
  connect(body.flange_b, spring.flange_a);
  connect(spring.flange_b, pull.flange);
  annotation(experiment(StopTime = 12, Tolerance = 1e-8));
end StickSlip;
