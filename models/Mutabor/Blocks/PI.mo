within Mutabor.Blocks;
block PI "Proportional-integral controller"
  extends RealBlock;
  parameter Real k = 1 "Factor";
  parameter Units.Time T(min = 0) = 1 "Integral action time";
  parameter Real x_start = 0 "Value of the integral at the beginning";
  Real x(start = x_start, fixed = true) "Integral of the input, divided by T";
equation
  T*der(x) = u;
  y = k*(x + u);
  annotation(
    Documentation(info = "<html><p><code>y = k*(u + integral of u/T)</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "PI")}));
end PI;
