within Mutabor.Translational;
model Fixed "Flange that does not move"
  parameter Units.Position s0 = 0 "Position";
  Flange flange annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
equation
  flange.s = s0;
  annotation(
    Documentation(info = "<html><p>Takes any force.</p></html>"),
    Icon(graphics = {
      Line(points = {{-40, -20}, {40, -20}}),
      Line(points = {{-40, -40}, {-20, -20}}),
      Line(points = {{-20, -40}, {0, -20}}),
      Line(points = {{0, -40}, {20, -20}}),
      Line(points = {{20, -40}, {40, -20}}),
      Line(points = {{0, -20}, {0, 0}}),
      Text(extent = {{-150, -60}, {150, -100}}, textString = "%name")}));
end Fixed;
