within Mutabor.Rotational;
partial model TwoFlanges "Component with two flanges"
  Flange flange_a "Left flange" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Flange flange_b "Right flange" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  annotation(
    Documentation(info = "<html><p>Base of components between two parts of a shaft.</p></html>"),
    Icon(graphics = {
      Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255})}));
end TwoFlanges;
