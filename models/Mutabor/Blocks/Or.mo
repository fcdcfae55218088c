within Mutabor.Blocks;
block Or "Is one of the inputs true?"
  extends BooleanBlock2;
equation
  y = u1 or u2;
  annotation(
    Documentation(info = "<html><p><code>y = u1 or u2</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "or")}));
end Or;
