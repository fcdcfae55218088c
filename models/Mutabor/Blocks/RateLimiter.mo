within Mutabor.Blocks;
block RateLimiter "Limits how fast a signal changes"
  extends RealBlock(y(start = y_start, fixed = true));
  parameter Real rising(min = 0) = 1 "Greatest rate of rise, per second";
  parameter Real falling(max = 0) = -rising "Greatest rate of fall, per second, negative";
  parameter Units.Time T(min = 0) = 0.001 "Time constant with which slower signals are followed";
  parameter Real y_start = 0 "Value at the beginning";
protected
  Real wish "Rate without limits";
equation
  assert(falling < rising, "The rate of rise must lie above that of fall");
  wish = (u - y)/T;
  der(y) = if wish > rising then rising elseif wish < falling then falling else wish;
  annotation(
    Documentation(info = "<html><p>Follows the input, but not faster than the limits. Reaching a limit is an event.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, -60}, {40, 60}, {80, 60}}, color = {0, 0, 127})}));
end RateLimiter;
