within Mutabor.Electrical;
model Ground "Zero potential"
  Pin p annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
equation
  p.v = 0;
  annotation(
    Documentation(info = "<html><p>Every circuit needs one ground: potentials are counted from it.</p></html>"),
    Icon(graphics = {
      Line(points = {{0, 90}, {0, 20}}, color = {0, 0, 255}),
      Line(points = {{-60, 20}, {60, 20}}, color = {0, 0, 255}),
      Line(points = {{-40, -10}, {40, -10}}, color = {0, 0, 255}),
      Line(points = {{-20, -40}, {20, -40}}, color = {0, 0, 255}),
      Text(extent = {{-150, -60}, {150, -100}}, textString = "%name", textColor = {0, 0, 255})}));
end Ground;
