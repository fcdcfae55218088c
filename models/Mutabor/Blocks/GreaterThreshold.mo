within Mutabor.Blocks;
block GreaterThreshold "Is the input greater than a threshold?"
  extends RealComparison;
  parameter Real threshold = 0 "Threshold";
equation
  y = u > threshold;
  annotation(
    Documentation(info = "<html><p><code>y = u &gt; threshold</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = ">")}));
end GreaterThreshold;
