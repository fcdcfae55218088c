within Mutabor.Electrical;
model Breaker "Circuit breaker: opens where the current passes through zero"
  extends TwoPin;
  Blocks.BooleanInput on "True: closed; false: opens at the next zero of the current" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
  Boolean closed(start = true, fixed = true) "The contacts are connected, by touch or by an arc";
protected
  Boolean positive "Direction of the current";
equation
  positive = i > 0;
  closed = on or pre(closed) and not change(positive);
  if closed then
    v = 0;
  else
    i = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>After <code>on</code> has become false, an arc goes on to conduct without voltage until the current passes through
zero. So no energy is left in the inductors of the circuit. Closes at once.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-40, 0}}, color = {0, 0, 255}),
      Line(points = {{-37, 2}, {40, 40}}, color = {0, 0, 255}),
      Line(points = {{30, -10}, {50, 10}}, color = {0, 0, 255}),
      Line(points = {{30, 10}, {50, -10}}, color = {0, 0, 255}),
      Line(points = {{40, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{0, 100}, {0, 22}}, color = {255, 0, 255}, pattern = LinePattern.Dash)}));
end Breaker;
