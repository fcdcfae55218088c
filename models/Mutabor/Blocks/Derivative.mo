within Mutabor.Blocks;
block Derivative "Derivative, with a filter"
  extends RealBlock;
  parameter Real k = 1 "Factor";
  parameter Units.Time T(min = 0) = 0.01 "Time constant of the filter";
  parameter Real x_start = 0 "Value of the filter at the beginning";
  Real x(start = x_start, fixed = true) "Filtered input";
equation
  T*der(x) = u - x;
  y = k*(u - x)/T;
  annotation(
    Documentation(info = "<html><p><code>y = k*s/(T*s + 1)*u</code>, beginning with the filter at <code>x_start</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "d/dt")}));
end Derivative;
