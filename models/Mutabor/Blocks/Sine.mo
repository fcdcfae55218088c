within Mutabor.Blocks;
block Sine "Sine wave"
  extends RealSource;
  parameter Real amplitude = 1 "Amplitude";
  parameter Units.Frequency f = 1 "Frequency";
  parameter Units.Angle phase = 0 "Phase";
  parameter Real offset = 0 "Mean value";
  parameter Units.Time startTime = 0 "The sine begins at this time";
equation
  y = offset + (if time < startTime then 0 else amplitude)*sin(2*Constants.pi*f*(time - startTime) + phase);
  annotation(
    Documentation(info = "<html><p><code>offset</code> until <code>startTime</code>, then a sine around it.</p></html>"),
    Icon(graphics = {Line(points = {{-80, 0}, {-60, 60}, {-20, 60}, {0, 0}, {20, -60}, {60, -60}, {80, 0}}, color = {0, 0, 127}, smooth = Smooth.Bezier)}));
end Sine;
