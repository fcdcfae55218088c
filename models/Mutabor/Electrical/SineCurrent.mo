within Mutabor.Electrical;
model SineCurrent "Source of sinusoidal current"
  extends CurrentSource;
  parameter Units.Current I = 1 "Amplitude";
  parameter Units.Frequency f = 1 "Frequency";
  parameter Units.Angle phase = 0 "Phase";
  parameter Units.Current offset = 0 "Mean value";
  parameter Units.Time startTime = 0 "The sine begins at this time";
equation
  i = offset + (if time < startTime then 0 else I)*sin(2*Constants.pi*f*(time - startTime) + phase);
  annotation(
    Documentation(info = "<html><p><code>i = offset + I*sin(2*pi*f*(time - startTime) + phase)</code> from <code>startTime</code> on.</p></html>"),
    Icon(graphics = {Line(points = {{-35, 0}, {-25, 25}, {-10, 25}, {0, 0}, {10, -25}, {25, -25}, {35, 0}}, color = {160, 160, 164}, smooth = Smooth.Bezier)}));
end SineCurrent;
