within Mutabor.Blocks;
block UnitDelay "Value at the tick before the last one"
  extends SampledBlock;
protected
  discrete Real sampled(start = y_start, fixed = true);
  discrete Real held(start = y_start, fixed = true);
equation
  when ticks then
    sampled = u;
    held = pre(sampled);
  end when;
  y = held;
  annotation(
    Documentation(info = "<html><p><code>y = u/z</code>: the input at the tick before the last one.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "1/z")}));
end UnitDelay;
