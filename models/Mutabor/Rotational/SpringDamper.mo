within Mutabor.Rotational;
model SpringDamper "Linear spring and damper in parallel"
  extends Compliant;
  parameter Units.RotationalSpringConstant c = 1 "Stiffness";
  parameter Units.RotationalDampingConstant d = 0 "Damping";
  parameter Units.Angle phi_rel0 = 0 "Angle without torque";
  Units.AngularVelocity w_rel "Speed of flange_b against flange_a";
equation
  w_rel = der(phi_rel);
  tau = c*(phi_rel - phi_rel0) + d*w_rel;
  annotation(
    Documentation(info = "<html><p><code>tau = c*(phi_rel - phi_rel0) + d*der(phi_rel)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}, {-40, 25}, {-20, -25}, {0, 25}, {20, -25}, {40, 25}, {50, 0}, {90, 0}}),
      Line(points = {{-40, 30}, {30, 30}, {30, -30}, {-40, -30}}),
      Line(points = {{-20, 20}, {-20, -20}}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "c=%c")}));
end SpringDamper;
