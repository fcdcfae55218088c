within Mutabor.Blocks;
block TransferFunction "Transfer function"
  extends RealBlock;
  parameter Real b[:] = {1} "Coefficients of the numerator, the highest power first";
  parameter Real a[:] = {1, 1} "Coefficients of the denominator, the highest power first";
  parameter Real x_start[size(a, 1) - 1] = zeros(size(a, 1) - 1) "States at the beginning";
  Real x[size(a, 1) - 1](start = x_start, each fixed = true) "States, the highest derivative first";
protected
  final parameter Integer n = size(a, 1);
  final parameter Real c[max(n, size(b, 1))] = cat(1, zeros(max(0, n - size(b, 1))), b) "Numerator, as long as the denominator";
  final parameter Real first = if a[1] <> 0 then a[1] else 1 "What can be divided by";
  final parameter Real d = c[1]/first "Direct";
equation
  assert(size(b, 1) <= n, "The numerator must not be of higher degree than the denominator");
  assert(a[1] <> 0, "The first coefficient of the denominator must not be zero");
  for i in 1:n - 1 loop
    der(x[i]) = if i == 1 then (u - a[2:n]*x)/first else x[max(i - 1, 1)];
  end for;
  y = (c[2:n] - d*a[2:n])*x + d*u;
  annotation(
    Documentation(info = "<html><p><code>y = (b[1]*s^m + … + b[m+1])/(a[1]*s^n + … + a[n+1])*u</code>, in controllable canonical form.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "b(s)/a(s)")}));
end TransferFunction;
