within Mutabor.Blocks;
block Hysteresis "Truth value of a signal, with hysteresis"
  extends RealComparison(y(start = pre_y_start, fixed = true));
  parameter Real uLow = 0 "Below it the output becomes false";
  parameter Real uHigh = 1 "Above it the output becomes true";
  parameter Boolean pre_y_start = false "Value at the beginning, if the input is in between";
equation
  y = u > uHigh or pre(y) and u >= uLow;
  annotation(
    Documentation(info = "<html><p>Becomes true above <code>uHigh</code> and false below <code>uLow</code>; in between it stays as it was.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {40, -60}, {40, 60}}, color = {255, 0, 255}), Line(points = {{-40, -60}, {-40, 60}, {80, 60}}, color = {255, 0, 255})}));
end Hysteresis;
