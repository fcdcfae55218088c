within Mutabor.Blocks;
block Sampler "Value at the last tick"
  extends SampledBlock;
protected
  discrete Real held(start = y_start, fixed = true);
equation
  when ticks then
    held = u;
  end when;
  y = held;
  annotation(
    Documentation(info = "<html><p>The input at the last tick, which is held until the next one.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "S")}));
end Sampler;
