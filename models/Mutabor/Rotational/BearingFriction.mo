within Mutabor.Rotational;
model BearingFriction "Bearing with dry friction"
  extends TwoFlanges;
  extends DryFriction;
  parameter Units.Torque tau_friction = 1 "Torque while it slips";
equation
  flange_a.phi = flange_b.phi;
  flange_a.tau + flange_b.tau = tau;
  w_rel = der(flange_a.phi);
  tau_slip = tau_friction;
  annotation(
    Documentation(info = "<html><p>Friction between a shaft and the ground.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 10}, {90, -10}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-50, 35}, {50, 15}}, lineColor = {0, 0, 0}),
      Rectangle(extent = {{-50, -15}, {50, -35}}, lineColor = {0, 0, 0})}));
end BearingFriction;
