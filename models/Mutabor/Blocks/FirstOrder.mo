within Mutabor.Blocks;
block FirstOrder "First order delay"
  extends RealBlock(y(start = y_start, fixed = true));
  parameter Real k = 1 "Factor";
  parameter Units.Time T(min = 0) = 1 "Time constant";
  parameter Real y_start = 0 "Value at the beginning";
equation
  T*der(y) = k*u - y;
  annotation(
    Documentation(info = "<html><p><code>T*der(y) + y = k*u</code>, beginning with <code>y_start</code>.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-60, -10}, {-30, 30}, {10, 50}, {80, 60}}, color = {0, 0, 127})}));
end FirstOrder;
