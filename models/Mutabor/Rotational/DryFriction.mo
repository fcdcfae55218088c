within Mutabor.Rotational;
partial model DryFriction "Friction that sticks and slips"
  parameter Real peak(unit = "1", min = 1) = 1 "Torque that breaks it loose, divided by the torque while it slips";
  Units.AngularVelocity w_rel "Relative speed";
  Units.Torque tau "Torque of the friction, in the direction of w_rel";
  Units.Torque tau_slip "Torque while it slips";
  Boolean forward(start = false) "Slips with positive speed";
  Boolean backward(start = false) "Slips with negative speed";
protected
  Real s "Along the characteristic: torque while it sticks, speed beyond the largest such torque while it slips";
equation
  forward = s > peak*tau_slip;
  backward = s < -peak*tau_slip;
  if forward then
    tau = tau_slip;
    w_rel = s - peak*tau_slip;
  elseif backward then
    tau = -tau_slip;
    w_rel = s + peak*tau_slip;
  else
    tau = s;
    w_rel = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Base of brakes, bearings and friction clutches. While it sticks, the speeds are equal and the torque is what that takes, up to
<code>peak*tau_slip</code>; while it slips, the torque is <code>tau_slip</code> against the motion. Sticking takes one state away.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, -60}, {-60, -20}}),
      Line(points = {{0, -80}, {0, 80}}, color = {192, 192, 192}),
      Line(points = {{-80, 0}, {80, 0}}, color = {192, 192, 192}),
      Line(points = {{-60, -40}, {0, -40}, {0, 40}, {60, 40}})}));
end DryFriction;
