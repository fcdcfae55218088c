within Mutabor.Translational;
model Friction "Dry friction against the ground"
  extends TwoFlanges;
  parameter Units.Force f_slip(min = 0) = 1 "Force while it slips";
  parameter Real peak(unit = "1", min = 1) = 1 "Force that breaks it loose, divided by f_slip";
  Units.Velocity v "Velocity";
  Units.Force f "Force of the friction, in the direction of v";
  Boolean forward(start = false) "Slips with positive velocity";
  Boolean backward(start = false) "Slips with negative velocity";
protected
  Real s "Along the characteristic: force while it sticks, velocity beyond the largest such force while it slips";
equation
  flange_a.s = flange_b.s;
  flange_a.f + flange_b.f = f;
  v = der(flange_a.s);
  forward = s > peak*f_slip;
  backward = s < -peak*f_slip;
  if forward then
    f = f_slip;
    v = s - peak*f_slip;
  elseif backward then
    f = -f_slip;
    v = s + peak*f_slip;
  else
    f = s;
    v = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Sticks without any motion up to the force <code>peak*f_slip</code>; slips with the force <code>f_slip</code> against the motion. Sticking takes one state
away.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 20}, {50, -20}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Line(points = {{-70, -20}, {70, -20}}),
      Line(points = {{-60, -35}, {-45, -20}}),
      Line(points = {{-30, -35}, {-15, -20}}),
      Line(points = {{0, -35}, {15, -20}}),
      Line(points = {{30, -35}, {45, -20}})}));
end Friction;
