within Mutabor.Blocks;
block Table2D "Characteristic of two inputs by its points"
  extends RealBlock2;
  parameter Real x1[:] = {0, 1} "Values of the first input, increasing";
  parameter Real x2[:] = {0, 1} "Values of the second input, increasing";
  parameter Real table[size(x1, 1), size(x2, 1)] = {{0, 0}, {0, 0}} "Outputs: a row for each value of the first input";
  parameter Smoothness smoothness = Smoothness.linear "Between the points: linear or steps";
  parameter Extrapolation extrapolation = Extrapolation.hold "Outside of the points";
protected
  final parameter Integer n1 = size(x1, 1);
  final parameter Integer n2 = size(x2, 1);
  final parameter Real span1 = if x1[n1] > x1[1] then x1[n1] - x1[1] else 1 "What can be divided by";
  final parameter Real span2 = if x2[n2] > x2[1] then x2[n2] - x2[1] else 1 "What can be divided by";
  Real v1 "Where the table is read";
  Real v2 "Where the table is read";
  Integer i "Interval of the first input";
  Integer j "Interval of the second input";
  Real p "Share of the way to the next value of the first input";
  Real q "Share of the way to the next value of the second input";
equation
  assert(n1 > 1 and n2 > 1, "A table needs two values at least of each input");
  assert(min(x1[2:n1] - x1[1:n1 - 1]) > 0 and min(x2[2:n2] - x2[1:n2 - 1]) > 0, "Values of the inputs must increase");
  assert(smoothness == Smoothness.linear or smoothness == Smoothness.steps, "Tables of two inputs are linear or steps between the points");
  assert(extrapolation <> Extrapolation.forbidden or u1 >= x1[1] and u1 <= x1[n1] and u2 >= x2[1] and u2 <= x2[n2], "An input is outside of the table");
  v1 = if extrapolation == Extrapolation.periodic then u1 - floor((u1 - x1[1])/span1)*span1
    elseif extrapolation == Extrapolation.linear then u1
    elseif u1 < x1[1] then x1[1] elseif u1 > x1[n1] then x1[n1] else u1;
  v2 = if extrapolation == Extrapolation.periodic then u2 - floor((u2 - x2[1])/span2)*span2
    elseif extrapolation == Extrapolation.linear then u2
    elseif u2 < x2[1] then x2[1] elseif u2 > x2[n2] then x2[n2] else u2;
  i = 1 + sum(if v1 >= x1[k] then 1 else 0 for k in 2:n1 - 1);
  j = 1 + sum(if v2 >= x2[k] then 1 else 0 for k in 2:n2 - 1);
  p = if smoothness == Smoothness.steps then (if v1 >= x1[n1] then 1 else 0) else (v1 - x1[i])/(x1[i + 1] - x1[i]);
  q = if smoothness == Smoothness.steps then (if v2 >= x2[n2] then 1 else 0) else (v2 - x2[j])/(x2[j + 1] - x2[j]);
  y = (1 - p)*((1 - q)*table[i, j] + q*table[i, j + 1]) + p*((1 - q)*table[i + 1, j] + q*table[i + 1, j + 1]);
  annotation(
    Documentation(info = "<html><p>Bilinear between the points, or the value of the point before. Going over to another field is an event.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "f(u1, u2)")}));
end Table2D;
