within Mutabor.Translational;
model Force "Force given by a signal"
  Blocks.RealInput f(unit = "N") "Force on what is connected" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  flange.f = -f;
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>Force push(f = 5*time)</code>.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-60, 0}, {90, 0}}, color = {0, 127, 0}, thickness = 0.5, arrow = {Arrow.None, Arrow.Filled})}));
end Force;
