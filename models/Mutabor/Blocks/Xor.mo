within Mutabor.Blocks;
block Xor "Is exactly one of the inputs true?"
  extends BooleanBlock2;
equation
  y = u1 <> u2;
  annotation(
    Documentation(info = "<html><p>True if the inputs differ.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "xor")}));
end Xor;
