within Mutabor.Blocks;
block Table1D "Characteristic by its points"
  extends RealBlock;
  parameter Real table[:, 2] = {{0, 0}, {1, 1}} "Points: input, output; inputs increase";
  parameter Smoothness smoothness = Smoothness.linear "Between the points";
  parameter Extrapolation extrapolation = Extrapolation.hold "Outside of the points";
protected
  final parameter Integer n = size(table, 1);
  final parameter Real c[n, 4] = tableCoefficients(table, smoothness);
  final parameter Real length = table[n, 1] - table[1, 1];
  final parameter Real span = if length > 0 then length else 1 "What can be divided by";
  final parameter Boolean goesOn = extrapolation == Extrapolation.linear;
  Real x "Where the table is read";
  Integer i "Interval";
equation
  assert(n > 1, "A table needs two points at least");
  assert(min(table[2:n, 1] - table[1:n - 1, 1]) > 0, "Inputs of the table must increase");
  assert(extrapolation <> Extrapolation.forbidden or u >= table[1, 1] and u <= table[n, 1], "The input is outside of the table");
  x = if extrapolation == Extrapolation.periodic then u - floor((u - table[1, 1])/span)*length else u;
  i = 1 + sum(if x >= table[k, 1] then 1 else 0 for k in 2:n);
  y = if x < table[1, 1] then c[1, 1] + (if goesOn then c[1, 2]*(x - table[1, 1]) else 0)
    elseif i >= n then c[n, 1] + (if goesOn then c[n, 2]*(x - table[n, 1]) else 0)
    else c[i, 1] + (x - table[i, 1])*(c[i, 2] + (x - table[i, 1])*(c[i, 3] + (x - table[i, 1])*c[i, 4]));
  annotation(
    Documentation(info = "<html><p>The output is read from a table. Going over to another interval is an event, so that derivatives are exact and steps are not missed; a table may have some hundred points.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, -20}, {0, -10}, {40, 40}, {80, 50}}, color = {0, 0, 127})}));
end Table1D;
