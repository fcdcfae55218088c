within Mutabor.Rotational;
model TorqueSensor "Measures the torque in a shaft"
  extends TwoFlanges;
  Blocks.RealOutput tau(unit = "N.m") "Torque from flange_a to flange_b" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
equation
  flange_a.phi = flange_b.phi;
  flange_a.tau + flange_b.tau = 0;
  tau = flange_a.tau;
  annotation(
    Documentation(info = "<html><p>The flanges are connected rigidly.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Text(extent = {{-30, 30}, {30, -30}}, textString = "tau"),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127})}));
end TorqueSensor;
