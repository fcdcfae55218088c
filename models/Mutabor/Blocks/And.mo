within Mutabor.Blocks;
block And "Are both inputs true?"
  extends BooleanBlock2;
equation
  y = u1 and u2;
  annotation(
    Documentation(info = "<html><p><code>y = u1 and u2</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "and")}));
end And;
