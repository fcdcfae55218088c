within Mutabor.Electrical;
model PotentialSensor "Measures the potential of a pin"
  Pin p "Pin that is measured" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Blocks.RealOutput phi(unit = "V") "Potential" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  p.i = 0;
  phi = p.v;
  annotation(
    Documentation(info = "<html><p>Draws no current.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}),
      Text(extent = {{-40, 40}, {40, -40}}, textString = "V"),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
end PotentialSensor;
