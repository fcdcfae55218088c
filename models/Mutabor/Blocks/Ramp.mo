within Mutabor.Blocks;
block Ramp "Ramp"
  extends RealSource;
  parameter Real height = 1 "Rise in all";
  parameter Units.Time duration(min = 0) = 1 "Duration of the rise";
  parameter Real offset = 0 "Value before the ramp";
  parameter Units.Time startTime = 0 "Time at which the ramp begins";
equation
  y = offset + (
    if time < startTime then 0
    elseif time < startTime + duration then height*(time - startTime)/duration
    else height);
  annotation(
    Documentation(info = "<html><p>Rises by <code>height</code> within <code>duration</code>. With a duration of zero it is a step.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, -60}, {40, 60}, {80, 60}}, color = {0, 0, 127})}));
end Ramp;
