within Mutabor.Blocks;
block Add "Weighted sum of two signals"
  extends RealBlock2;
  parameter Real k1 = 1 "Weight of the first input";
  parameter Real k2 = 1 "Weight of the second input";
equation
  y = k1*u1 + k2*u2;
  annotation(
    Documentation(info = "<html><p><code>y = k1*u1 + k2*u2</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "+")}));
end Add;
