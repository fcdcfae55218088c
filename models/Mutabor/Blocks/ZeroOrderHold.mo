within Mutabor.Blocks;
block ZeroOrderHold "Value at the last tick, from just before it"
  extends SampledBlock;
protected
  discrete Real sampled(start = y_start, fixed = true);
equation
  when ticks then
    sampled = u;
  end when;
  y = pre(sampled);
  annotation(
    Documentation(info = "<html><p>The input as it is sampled, held until the next tick. What depends on the output at a tick sees the value before it: there is no loop without a delay through this block.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "ZOH")}));
end ZeroOrderHold;
