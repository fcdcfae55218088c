within Mutabor.Blocks;
block Min "The smaller of two signals"
  extends RealBlock2;
equation
  y = if u1 < u2 then u1 else u2;
  annotation(
    Documentation(info = "<html><p><code>y = min(u1, u2)</code>. Where the other one becomes the smaller one, there is an event.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "min")}));
end Min;
