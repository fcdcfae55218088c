within Mutabor.Electrical;
model SineVoltage "Source of sinusoidal voltage"
  extends VoltageSource;
  parameter Units.Voltage V = 1 "Amplitude";
  parameter Units.Frequency f = 1 "Frequency";
  parameter Units.Angle phase = 0 "Phase";
  parameter Units.Voltage offset = 0 "Mean value";
  parameter Units.Time startTime = 0 "The sine begins at this time";
equation
  v = offset + (if time < startTime then 0 else V)*sin(2*Constants.pi*f*(time - startTime) + phase);
  annotation(
    Documentation(info = "<html><p><code>v = offset + V*sin(2*pi*f*(time - startTime) + phase)</code> from <code>startTime</code> on.</p></html>"),
    Icon(graphics = {Line(points = {{-35, 0}, {-25, 25}, {-10, 25}, {0, 0}, {10, -25}, {25, -25}, {35, 0}}, color = {160, 160, 164}, smooth = Smooth.Bezier)}));
end SineVoltage;
