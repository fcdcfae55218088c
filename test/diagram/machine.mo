model Annotated "Laid out by hand"
  inner Integer v(start = 0);
  block Up outer output Integer v; equation v = previous(v) + 2; end Up;
  block Down outer output Integer v; equation v = previous(v) - 1; end Down;
  Up up "counts up" annotation(Placement(transformation(extent={{-80,20},{-30,50}})));
  Down down annotation(Placement(transformation(extent={{20,-50},{70,-20}})));
equation
  initialState(up) annotation(Line(points={{-55,50},{-60,66},{-70,76}}, smooth=Smooth.Bezier));
  transition(up, down, v >= 20, immediate=false) annotation(Line(points={{-30,35},{30,35},{45,0},{45,-20}}, color={175,175,175}, smooth=Smooth.Bezier), Text(string="%condition", extent={{4,4},{4,10}}));
  transition(down, up, v <= 0, immediate=true, reset=false, synchronize=true, priority=2) annotation(Line(points={{20,-35},{-55,-35},{-55,20}}, color={175,175,175}), Text(string="%condition", extent={{4,-4},{4,-10}}));
end Annotated;
model Loops "Arrays of states, loops and long conditions"
  parameter Integer n = 4;
  Real x, y;
  block S Real z; end S;
  S s[n] "One of many";
  S idle "Nothing happens here, and it takes a while until that changes";
  S error;
equation
  initialState(idle);
  transition(idle, s[1], x > 0 and y > 0 and x + y < 100 and sin(x) > cos(y) or x < -5);
  for i in 1:n - 1 loop
    transition(s[i], s[i + 1], x > i);
  end for;
  transition(s[n], idle, x > 10, priority = 1);
  transition(s[n], s[n], y > 1, priority = 2);
  transition(s[2], error, y < 0, priority = 3, immediate = false, reset = false, synchronize = true);
  transition(error, idle, y > 0);
  transition(error, error, x < -10, priority = 2);
end Loops;
