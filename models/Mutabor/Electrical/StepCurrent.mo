within Mutabor.Electrical;
model StepCurrent "Source whose current steps"
  extends CurrentSource;
  parameter Units.Current I = 1 "Height of the step";
  parameter Units.Current offset = 0 "Current before the step";
  parameter Units.Time startTime = 0 "Time of the step";
equation
  i = offset + (if time < startTime then 0 else I);
  annotation(
    Documentation(info = "<html><p>The current is <code>offset</code> until <code>startTime</code>, then <code>offset + I</code>.</p></html>"),
    Icon(graphics = {Line(points = {{-30, -25}, {0, -25}, {0, 25}, {30, 25}}, color = {160, 160, 164})}));
end StepCurrent;
