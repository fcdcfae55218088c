within Mutabor.Blocks;
block Step "Step"
  extends RealSource;
  parameter Real height = 1 "Height of the step";
  parameter Real offset = 0 "Value before the step";
  parameter Units.Time startTime = 0 "Time of the step";
equation
  y = offset + (if time < startTime then 0 else height);
  annotation(
    Documentation(info = "<html><p><code>offset</code> until <code>startTime</code>, then <code>offset + height</code>.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {0, -60}, {0, 60}, {80, 60}}, color = {0, 0, 127})}));
end Step;
