within Mutabor.Translational;
model ForceSensor "Measures the force between two bodies"
  extends TwoFlanges;
  Blocks.RealOutput f(unit = "N") "Force from flange_a to flange_b" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
equation
  flange_a.s = flange_b.s;
  flange_a.f + flange_b.f = 0;
  f = flange_a.f;
  annotation(
    Documentation(info = "<html><p>The flanges are connected rigidly.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Text(extent = {{-30, 30}, {30, -30}}, textString = "f"),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127})}));
end ForceSensor;
