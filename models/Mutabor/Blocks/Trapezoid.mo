within Mutabor.Blocks;
block Trapezoid "Periodic trapezoids"
  extends RealSource;
  parameter Real amplitude = 1 "Height";
  parameter Units.Time rising(min = 0) = 0.25 "Duration of the rise";
  parameter Units.Time width(min = 0) = 0.25 "Duration of the top";
  parameter Units.Time falling(min = 0) = 0.25 "Duration of the fall";
  parameter Units.Time period(min = 0) = 1 "Period";
  parameter Real offset = 0 "Value in between";
  parameter Units.Time startTime = 0 "The first one begins at this time";
protected
  discrete Units.Time begin(start = startTime) "Beginning of the present period";
initial equation
  pre(begin) = startTime + max(0, floor((time - startTime)/period))*period;
equation
  assert(rising + width + falling <= period, "rise, top and fall must not take longer than the period");
  when sample(startTime, period) then
    begin = time;
  end when;
  y = offset + (
    if time < startTime then 0
    elseif time < begin + rising then amplitude*(time - begin)/rising
    elseif time < begin + rising + width then amplitude
    elseif time < begin + rising + width + falling then amplitude*(begin + rising + width + falling - time)/falling
    else 0);
  annotation(
    Documentation(info = "<html><p>Rises, stays, falls and waits for the next period. Without a duration, rise and fall are steps.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-50, -60}, {-20, 60}, {20, 60}, {50, -60}, {80, -60}}, color = {0, 0, 127})}));
end Trapezoid;
