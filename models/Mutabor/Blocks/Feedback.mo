within Mutabor.Blocks;
block Feedback "Difference of two signals"
  extends RealBlock2;
equation
  y = u1 - u2;
  annotation(
    Documentation(info = "<html><p><code>y = u1 - u2</code>: set point minus measured value.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "u1 - u2")}));
end Feedback;
