within Mutabor.Translational;
model Mass "Body with a mass"
  extends TwoFlanges;
  parameter Units.Mass m = 1 "Mass";
  parameter Units.Length L = 0 "Length, from flange_a to flange_b";
  Units.Position s(start = 0) "Position of the centre";
  Units.Velocity v(start = 0) "Velocity";
  Units.Acceleration a "Acceleration";
equation
  flange_a.s = s - L/2;
  flange_b.s = s + L/2;
  v = der(s);
  a = der(v);
  m*a = flange_a.f + flange_b.f;
  annotation(
    Documentation(info = "<html><p><code>m*der(v) = flange_a.f + flange_b.f</code>. Give initial values as <code>s(start = 0, fixed = true)</code>,
<code>v(start = 1, fixed = true)</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 40}, {50, -40}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Text(extent = {{-150, -50}, {150, -90}}, textString = "m=%m")}));
end Mass;
