within Mutabor.Electrical;
model StepVoltage "Source whose voltage steps"
  extends VoltageSource;
  parameter Units.Voltage V = 1 "Height of the step";
  parameter Units.Voltage offset = 0 "Voltage before the step";
  parameter Units.Time startTime = 0 "Time of the step";
equation
  v = offset + (if time < startTime then 0 else V);
  annotation(
    Documentation(info = "<html><p>The voltage is <code>offset</code> until <code>startTime</code>, then <code>offset + V</code>.</p></html>"),
    Icon(graphics = {Line(points = {{-30, -25}, {0, -25}, {0, 25}, {30, 25}}, color = {160, 160, 164})}));
end StepVoltage;
