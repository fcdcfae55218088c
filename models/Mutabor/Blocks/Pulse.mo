within Mutabor.Blocks;
block Pulse "Periodic pulses"
  extends RealSource;
  parameter Real amplitude = 1 "Height of the pulses";
  parameter Real width(unit = "1", min = 0, max = 1) = 0.5 "Width of a pulse, as a share of the period";
  parameter Units.Time period(min = 0) = 1 "Period";
  parameter Real offset = 0 "Value between the pulses";
  parameter Units.Time startTime = 0 "The first pulse begins at this time";
protected
  discrete Units.Time begin(start = startTime) "Beginning of the present period";
initial equation
  pre(begin) = startTime + max(0, floor((time - startTime)/period))*period;
equation
  assert(width >= 0 and width <= 1, "width is a share of the period, from 0 to 1, not a percentage");
  when sample(startTime, period) then
    begin = time;
  end when;
  y = offset + (if time < startTime or time >= begin + width*period then 0 else amplitude);
  annotation(
    Documentation(info = "<html><p>Pulses of height <code>amplitude</code>, from <code>startTime</code> on.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, -60}, {-40, 60}, {0, 60}, {0, -60}, {40, -60}, {40, 60}, {80, 60}}, color = {0, 0, 127})}));
end Pulse;
