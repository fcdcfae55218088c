within Mutabor.Blocks;
block DeadZone "Zero as long as a signal is small"
  extends RealBlock;
  parameter Real uMax = 1 "Upper end of the zone";
  parameter Real uMin = -uMax "Lower end of the zone";
equation
  y = if u > uMax then u - uMax elseif u < uMin then u - uMin else 0;
  annotation(
    Documentation(info = "<html><p>Zero from <code>uMin</code> to <code>uMax</code>; outside, how far the input is beyond. Leaving the zone is an event.</p></html>"),
    Icon(graphics = {Line(points = {{-80, -60}, {-30, 0}, {30, 0}, {80, 60}}, color = {0, 0, 127})}));
end DeadZone;
