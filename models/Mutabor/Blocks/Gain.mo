within Mutabor.Blocks;
block Gain "Product with a constant"
  extends RealBlock;
  parameter Real k = 1 "Factor";
equation
  y = k*u;
  annotation(
    Documentation(info = "<html><p><code>y = k*u</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "%k")}));
end Gain;
