within Mutabor.Blocks;
block Integrator "Integral"
  extends RealBlock(y(start = y_start, fixed = true));
  parameter Real k = 1 "Factor";
  parameter Real y_start = 0 "Value at the beginning";
equation
  der(y) = k*u;
  annotation(
    Documentation(info = "<html><p><code>der(y) = k*u</code>, beginning with <code>y_start</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "∫")}));
end Integrator;
