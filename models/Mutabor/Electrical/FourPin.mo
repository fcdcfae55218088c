within Mutabor.Electrical;
partial model FourPin "Component with two pairs of pins"
  Pin p1 "Positive pin of the first side" annotation(Placement(transformation(extent = {{-110, 90}, {-90, 110}})));
  Pin n1 "Negative pin of the first side" annotation(Placement(transformation(extent = {{-110, -110}, {-90, -90}})));
  Pin p2 "Positive pin of the second side" annotation(Placement(transformation(extent = {{90, 90}, {110, 110}})));
  Pin n2 "Negative pin of the second side" annotation(Placement(transformation(extent = {{90, -110}, {110, -90}})));
  Units.Voltage v1 "Voltage of the first side";
  Units.Voltage v2 "Voltage of the second side";
  Units.Current i1 "Current through the first side";
  Units.Current i2 "Current through the second side";
equation
  v1 = p1.v - n1.v;
  v2 = p2.v - n2.v;
  i1 = p1.i;
  i2 = p2.i;
  p1.i + n1.i = 0;
  p2.i + n2.i = 0;
  annotation(
    Documentation(info = "<html><p>Base of components with two sides.</p></html>"),
    Icon(graphics = {Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end FourPin;
