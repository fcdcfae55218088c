within Mutabor.Rotational;
model AngleSensor "Measures the angle of a flange"
  Flange flange annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Blocks.RealOutput phi(unit = "rad") "Measured value" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  flange.tau = 0;
  phi = flange.phi;
  annotation(
    Documentation(info = "<html><p>Takes no torque.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255}),
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-40, 40}, {40, -40}}, textString = "phi"),
      Line(points = {{-90, 0}, {-70, 0}}),
      Line(points = {{70, 0}, {100, 0}}, color = {0, 0, 127})}));
end AngleSensor;
