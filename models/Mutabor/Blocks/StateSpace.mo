within Mutabor.Blocks;
block StateSpace "Linear system"
  parameter Real A[:, size(A, 1)] = {{-1}} "How states act on their derivatives";
  parameter Real B[size(A, 1), :] = {{1}} "How inputs act on them";
  parameter Real C[:, size(A, 1)] = {{1}} "How states act on outputs";
  parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "How inputs act on outputs";
  parameter Real x_start[size(A, 1)] = zeros(size(A, 1)) "States at the beginning";
  RealInput u[size(B, 2)] "Inputs" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  RealOutput y[size(C, 1)] "Outputs" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  Real x[size(A, 1)](start = x_start, each fixed = true) "States";
equation
  der(x) = A*x + B*u;
  y = C*x + D*u;
  annotation(
    Documentation(info = "<html><p><code>der(x) = A*x + B*u</code>, <code>y = C*x + D*u</code>, as <code>mutabor linearize</code> gives it.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-80, 40}, {80, -40}}, textString = "A B C D"),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end StateSpace;
