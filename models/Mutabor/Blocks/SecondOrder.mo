within Mutabor.Blocks;
block SecondOrder "Second order delay"
  extends RealBlock(y(start = y_start, fixed = true));
  parameter Real k = 1 "Factor";
  parameter Units.AngularVelocity w = 1 "Natural angular frequency";
  parameter Real D(unit = "1") = 1 "Damping";
  parameter Real y_start = 0 "Value at the beginning";
  parameter Real yd_start = 0 "Derivative at the beginning";
  Real yd(start = yd_start, fixed = true) "Derivative of the output";
equation
  der(y) = yd;
  der(yd) = w^2*(k*u - y) - 2*D*w*yd;
  annotation(
    Documentation(info = "<html><p><code>der(y, 2)/w^2 + 2*D/w*der(y) + y = k*u</code>.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-50, 60}, {-20, 10}, {10, 45}, {80, 35}}, color = {0, 0, 127})}));
end SecondOrder;
