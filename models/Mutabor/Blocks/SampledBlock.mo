within Mutabor.Blocks;
partial block SampledBlock "Block whose output changes at the ticks of a clock"
  extends RealBlock;
  parameter Units.Time period(min = 0) = 0.1 "Time between two ticks";
  parameter Units.Time startTime = 0 "Time of the first tick";
  parameter Real y_start = 0 "Value before the first tick";
protected
  Boolean ticks = sample(startTime, period) "True at every tick";
  annotation(
    Documentation(info = "<html><p>Block whose output changes at the ticks of a clock; a derived class says how.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, -60}, {-40, -10}, {0, -10}, {0, 40}, {40, 40}, {40, 60}, {80, 60}}, color = {0, 0, 127})}));
end SampledBlock;
