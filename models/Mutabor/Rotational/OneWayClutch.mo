within Mutabor.Rotational;
model OneWayClutch "Freewheel: drives in one direction only"
  extends Compliant;
  Units.AngularVelocity w_rel "Speed of flange_b against flange_a";
  Boolean free(start = true) "flange_b overtakes flange_a";
protected
  Real s(start = -1) "Along the characteristic: torque of the locked, speed of the free clutch";
equation
  w_rel = der(phi_rel);
  free = s < 0;
  if free then
    w_rel = -s;
    tau = 0;
  else
    w_rel = 0;
    tau = -s;
  end if;
  annotation(
    Documentation(info = "<html><p>flange_a can drive flange_b forward, but flange_b may turn faster. Locked and free are found from the sign of torque
and speed; there is no elasticity and no friction. If flange_a comes from behind with a jump, speeds become equal with an impulse.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Ellipse(extent = {{-30, 30}, {30, -30}}),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Line(points = {{-20, 44}, {10, 30}, {24, 38}}),
      Line(points = {{20, -44}, {-10, -30}, {-24, -38}})}));
end OneWayClutch;
