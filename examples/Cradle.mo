model Cradle "Three bodies in a row hit each other and a wall"
  import Mutabor.Translational.*;
  Mass a(m = 1, s(start = 0, fixed = true), v(start = 2, fixed = true)) "Comes from the left";
  Mass b(m = 1, s(start = 1, fixed = true), v(start = 0, fixed = true)) "Rests";
  Mass c(m = 2, s(start = 2, fixed = true), v(start = 0, fixed = true)) "Rests, and is heavier";
  Fixed wall(s0 = 3);
  Stop ab(e = 1) "Elastic impacts between a and b";
  Stop bc(e = 0.8) "Impacts that lose some energy";
  Stop cw(e = 0) "c sticks to the wall";
equation
  connect(ab.flange_a, a.flange_b);
  connect(ab.flange_b, b.flange_a);
  connect(bc.flange_a, b.flange_b);
  connect(bc.flange_b, c.flange_a);
  connect(cw.flange_a, c.flange_b);
  connect(cw.flange_b, wall.flange);
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end Cradle;
