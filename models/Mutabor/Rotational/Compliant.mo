within Mutabor.Rotational;
partial model Compliant "Component whose flanges turn against each other"
  extends TwoFlanges;
  Units.Angle phi_rel "Angle from flange_a to flange_b";
  Units.Torque tau "Torque between the flanges";
equation
  phi_rel = flange_b.phi - flange_a.phi;
  flange_b.tau = tau;
  flange_a.tau = -tau;
  annotation(
    Documentation(info = "<html><p>Base of springs, dampers and clutches: what one flange takes, the other one gives. A derived class says how <code>tau</code> depends on
<code>phi_rel</code>.</p></html>"),
    Icon(graphics = {Line(points = {{-90, 0}, {90, 0}}, pattern = LinePattern.Dot)}));
end Compliant;
