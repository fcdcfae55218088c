within Mutabor.Electrical;
model CurrentSensor "Measures the current in a branch"
  extends TwoPin;
  Blocks.RealOutput y(unit = "A") "Current from p to n" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
equation
  v = 0;
  y = i;
  annotation(
    Documentation(info = "<html><p>Connect it in series. It takes no voltage.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127}),
      Text(extent = {{-30, 30}, {30, -30}}, textString = "A")}));
end CurrentSensor;
