within Mutabor.Blocks;
block Not "Is the input false?"
  extends BooleanBlock;
equation
  y = not u;
  annotation(
    Documentation(info = "<html><p><code>y = not u</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "not")}));
end Not;
