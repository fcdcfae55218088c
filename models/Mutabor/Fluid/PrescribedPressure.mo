within Mutabor.Fluid;
model PrescribedPressure "Pressure given by a signal"
  Blocks.RealInput p(unit = "Pa") "Pressure, above that of the atmosphere" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Port port annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  port.p = p;
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>PrescribedPressure pump(p = 1e4*sin(time))</code>.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-90, 60}, {60, -60}}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 127, 255}),
      Text(extent = {{-150, 110}, {150, 70}}, textString = "%name")}));
end PrescribedPressure;
