within Mutabor.Rotational;
model BreakingShaft "Rigid shaft that breaks when the torque is too large"
  extends Compliant;
  parameter Units.Torque tau_max = 1 "Torque at which it breaks";
  Boolean broken(start = false, fixed = true) "The halves are separate";
equation
  when abs(tau) >= tau_max then
    broken = true;
  end when;
  if broken then
    tau = 0;
  else
    phi_rel = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Inertias on both sides have two states together until the shaft breaks, and four from then on. An impulse of torque breaks it as well, and does not pass through it.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 15}, {90, -15}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-10, 30}, {10, 10}, {-10, -10}, {10, -30}}, color = {255, 0, 0})}));
end BreakingShaft;
