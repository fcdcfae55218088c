within Mutabor.Rotational;
model Torque "Torque given by a signal"
  Blocks.RealInput tau(unit = "N.m") "Torque on what is connected" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  flange.tau = -tau;
  annotation(
    Documentation(info = "<html><p>Connect the signal, or write it down: <code>Torque drive(tau = 5*time)</code>.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-60, -30}, {-30, 30}, {30, 30}, {60, -30}}, smooth = Smooth.Bezier, arrow = {Arrow.None, Arrow.Filled}),
      Line(points = {{40, 0}, {90, 0}})}));
end Torque;
