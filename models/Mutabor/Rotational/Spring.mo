within Mutabor.Rotational;
model Spring "Linear spring"
  extends Compliant;
  parameter Units.RotationalSpringConstant c = 1 "Stiffness";
  parameter Units.Angle phi_rel0 = 0 "Angle without torque";
equation
  tau = c*(phi_rel - phi_rel0);
  annotation(
    Documentation(info = "<html><p><code>tau = c*(phi_rel - phi_rel0)</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}, {-40, 25}, {-20, -25}, {0, 25}, {20, -25}, {40, 25}, {50, 0}, {90, 0}}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "c=%c")}));
end Spring;
