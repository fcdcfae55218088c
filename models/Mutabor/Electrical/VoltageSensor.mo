within Mutabor.Electrical;
model VoltageSensor "Measures the voltage between two pins"
  extends TwoPin;
  Blocks.RealOutput y(unit = "V") "Voltage from p to n" annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
equation
  i = 0;
  y = v;
  annotation(
    Documentation(info = "<html><p>Connect it in parallel. It draws no current.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}),
      Line(points = {{-90, 0}, {-50, 0}}),
      Line(points = {{50, 0}, {90, 0}}),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127}),
      Text(extent = {{-30, 30}, {30, -30}}, textString = "V")}));
end VoltageSensor;
