within Mutabor.Blocks;
block BooleanStep "Truth value that changes once"
  extends BooleanSource;
  parameter Boolean startValue = false "Value before the step";
  parameter Units.Time startTime = 0 "Time of the step";
equation
  y = if time >= startTime then not startValue else startValue;
  annotation(
    Documentation(info = "<html><p><code>startValue</code> until <code>startTime</code>, then the opposite.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {0, -60}, {0, 60}, {80, 60}}, color = {255, 0, 255})}));
end BooleanStep;
