within Mutabor.Blocks;
block SawTooth "Saw tooth"
  extends RealSource;
  parameter Real amplitude = 1 "Height";
  parameter Units.Time period(min = 0) = 1 "Period";
  parameter Real offset = 0 "Value at the bottom";
  parameter Units.Time startTime = 0 "The first tooth begins at this time";
protected
  discrete Units.Time begin(start = startTime) "Beginning of the present tooth";
initial equation
  pre(begin) = startTime + max(0, floor((time - startTime)/period))*period;
equation
  when sample(startTime, period) then
    begin = time;
  end when;
  y = offset + (if time < startTime then 0 else amplitude*(time - begin)/period);
  annotation(
    Documentation(info = "<html><p>Rises steadily for a period, and falls at once.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-20, 60}, {-20, -60}, {40, 60}, {40, -60}, {80, 20}}, color = {0, 0, 127})}));
end SawTooth;
