within Mutabor.Blocks;
block Abs "Absolute value"
  extends RealBlock;
equation
  y = abs(u);
  annotation(
    Documentation(info = "<html><p><code>y = |u|</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "|u|")}));
end Abs;
