within Mutabor.Rotational;
model Inertia "Rigid shaft with a moment of inertia"
  extends TwoFlanges;
  parameter Units.Inertia J = 1 "Moment of inertia";
  Units.Angle phi(start = 0) "Angle";
  Units.AngularVelocity w(start = 0) "Speed";
  Units.AngularAcceleration a "Acceleration";
equation
  phi = flange_a.phi;
  phi = flange_b.phi;
  w = der(phi);
  a = der(w);
  J*a = flange_a.tau + flange_b.tau;
  annotation(
    Documentation(info = "<html><p><code>J*der(w) = flange_a.tau + flange_b.tau</code>. Give initial values as <code>phi(start = 0, fixed = true)</code>,
<code>w(start = 1, fixed = true)</code>; inertias that are connected rigidly have one angle and one speed together.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Text(extent = {{-150, -60}, {150, -100}}, textString = "J=%J")}));
end Inertia;
