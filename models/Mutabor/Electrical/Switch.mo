within Mutabor.Electrical;
model Switch "Ideal switch"
  extends TwoPin;
  Blocks.BooleanInput closed "True: p and n are connected" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  if closed then
    v = 0;
  else
    i = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Closed it is a short circuit, open it is an interruption. Connect a signal with <code>closed</code>, or write the
condition down: <code>Switch s(closed = time &gt;= 1)</code>.</p>
<p>Closing between capacitors shares their charge at once, with an impulse of the current. Opening in series with an inductor takes an impulse of
voltage, unless a diode takes over the current.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-44, 4}, {-36, -4}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {-44, 0}}, color = {0, 0, 255}),
      Line(points = {{-37, 2}, {40, 40}}, color = {0, 0, 255}),
      Line(points = {{40, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{0, 100}, {0, 22}}, color = {255, 0, 255}, pattern = LinePattern.Dash)}));
end Switch;
