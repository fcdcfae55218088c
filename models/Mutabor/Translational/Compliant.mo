within Mutabor.Translational;
partial model Compliant "Component whose flanges move against each other"
  extends TwoFlanges;
  Units.Position s_rel "Distance from flange_a to flange_b";
  Units.Force f "Force that pulls the flanges together";
equation
  s_rel = flange_b.s - flange_a.s;
  flange_b.f = f;
  flange_a.f = -f;
  annotation(
    Documentation(info = "<html><p>Base of springs, dampers and contacts: what one flange takes, the other one gives. A derived class says how <code>f</code> depends on
<code>s_rel</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, pattern = LinePattern.Dot)}));
end Compliant;
