within Mutabor.Blocks;
block TimeTable "Signal by its points"
  extends RealSource;
  parameter Real table[:, 2] = {{0, 0}, {1, 1}} "Points: time, value; two points at one time are a step";
  parameter Smoothness smoothness = Smoothness.linear "Between the points";
  parameter Extrapolation extrapolation = Extrapolation.hold "After the last point, and before the first";
  parameter Real offset = 0 "Added to the values";
  parameter Units.Time startTime = 0 "Added to the times";
protected
  final parameter Integer n = size(table, 1);
  final parameter Real c[n, 4] = tableCoefficients(table, smoothness);
  final parameter Units.Time length = table[n, 1] - table[1, 1];
  final parameter Units.Time span = if length > 0 then length else 1 "What can be divided by";
  final parameter Boolean again = extrapolation == Extrapolation.periodic;
  final parameter Boolean goesOn = extrapolation == Extrapolation.linear;
  discrete Integer round(start = 0) "How often the table was gone through";
  discrete Integer i(start = 0) "Last point that was reached; 0: none";
  Units.Time origin = startTime + round*length "Time that the present round counts from";
  discrete Units.Time next(start = 0) "Time of the next point";
  Units.Time x "Time since the last point";
initial equation
  pre(round) = if again then integer((time - startTime - table[1, 1])/span) else 0;
  pre(i) = if time < startTime + table[1, 1] and not again then 0
    else min(tableRow(table[:, 1], time - startTime - pre(round)*length), if again then n - 1 else n);
  pre(next) = if pre(i) < n then startTime + pre(round)*length + table[pre(i) + 1, 1] else 1e300;
equation
  assert(n > 1, "A table needs two points at least");
  assert(min(table[2:n, 1] - table[1:n - 1, 1]) >= 0 and length > 0, "Times of the table must not decrease");
  assert(extrapolation <> Extrapolation.forbidden or time >= startTime + table[1, 1] and time <= startTime + table[n, 1], "The time is outside of the table");
  when time >= pre(next) then
    // At the last point of a round the next one begins.
    round = if again and table[min(pre(i) + 1, n), 1] >= table[n, 1] then pre(round) + 1 else pre(round);
    i = tableRow(table[:, 1], if round > pre(round) then table[1, 1] else table[min(pre(i) + 1, n), 1]);
    next = if i < n then startTime + round*length + table[i + 1, 1] else 1e300;
  end when;
  x = time - origin - (if i < 1 then table[1, 1] else table[max(i, 1), 1]);
  y = offset + (if i < 1 then c[1, 1] + (if goesOn then c[1, 2]*x else 0)
    elseif i >= n then c[n, 1] + (if goesOn then c[n, 2]*x else 0)
    else c[max(i, 1), 1] + x*(c[max(i, 1), 2] + x*(c[max(i, 1), 3] + x*c[max(i, 1), 4])));
  annotation(
    Documentation(info = "<html><p>The output follows the points of a table. Every point is an event; tables may be long.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, 20}, {0, -20}, {0, 30}, {40, 60}, {80, 10}}, color = {0, 0, 127})}));
end TimeTable;
