within Mutabor.Rotational;
model ConstantTorque "Constant torque"
  parameter Units.Torque tau_constant = 1 "Torque on what is connected";
  Flange flange annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  flange.tau = -tau_constant;
  annotation(
    Documentation(info = "<html><p>Drives in the positive direction if <code>tau_constant</code> is positive.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Line(points = {{-60, -30}, {-30, 30}, {30, 30}, {60, -30}}, smooth = Smooth.Bezier, arrow = {Arrow.None, Arrow.Filled}),
      Line(points = {{40, 0}, {90, 0}})}));
end ConstantTorque;
