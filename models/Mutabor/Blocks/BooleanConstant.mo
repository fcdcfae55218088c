within Mutabor.Blocks;
block BooleanConstant "Constant truth value"
  extends BooleanSource;
  parameter Boolean k = true "Value";
equation
  y = k;
  annotation(
    Documentation(info = "<html><p><code>y = k</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "%k")}));
end BooleanConstant;
