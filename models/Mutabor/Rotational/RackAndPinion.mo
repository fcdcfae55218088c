within Mutabor.Rotational;
model RackAndPinion "Gear between rotation and translation"
  parameter Units.Length r = 1 "Radius of the pinion";
  Flange flangeR "Shaft of the pinion" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Translational.Flange flangeT "Rack" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  flangeT.s = r*flangeR.phi;
  flangeR.tau + r*flangeT.f = 0;
  annotation(
    Documentation(info = "<html><p><code>s = r*phi</code>: a rack and a pinion, or a wheel that rolls. Without inertia, elasticity and losses.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255}),
      Ellipse(extent = {{-60, 50}, {0, -10}}),
      Rectangle(extent = {{-60, -10}, {80, -30}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-60, 10}}),
      Line(points = {{80, -20}, {90, 0}})}));
end RackAndPinion;
