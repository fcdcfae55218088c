within Mutabor.Blocks;
block Limiter "Limits a signal"
  extends RealBlock;
  parameter Real uMax = 1 "Upper limit";
  parameter Real uMin = -uMax "Lower limit";
equation
  y = if u > uMax then uMax elseif u < uMin then uMin else u;
  annotation(
    Documentation(info = "<html><p>The input, but not more than <code>uMax</code> and not less than <code>uMin</code>. Reaching a limit is an event.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-40, -60}, {40, 60}, {80, 60}}, color = {0, 0, 127})}));
end Limiter;
