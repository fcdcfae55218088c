within Mutabor.Blocks;
block LessThreshold "Is the input less than a threshold?"
  extends RealComparison;
  parameter Real threshold = 0 "Threshold";
equation
  y = u < threshold;
  annotation(
    Documentation(info = "<html><p><code>y = u &lt; threshold</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "<")}));
end LessThreshold;
