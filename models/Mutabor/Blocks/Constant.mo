within Mutabor.Blocks;
block Constant "Constant signal"
  extends RealSource;
  parameter Real k = 1 "Value";
equation
  y = k;
  annotation(
    Documentation(info = "<html><p><code>y = k</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "%k")}));
end Constant;
