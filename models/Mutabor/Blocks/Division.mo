within Mutabor.Blocks;
block Division "Quotient of two signals"
  extends RealBlock2(u2(start = 1));
equation
  y = u1/u2;
  annotation(
    Documentation(info = "<html><p><code>y = u1/u2</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "÷")}));
end Division;
