within Mutabor.Electrical;
partial model TwoPin "Component with two pins; what flows into one flows out of the other"
  Pin p "Positive pin" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin n "Negative pin" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Units.Voltage v "Voltage from p to n";
  Units.Current i "Current from p to n";
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
  annotation(
    Documentation(info = "<html><p>Base of most components: <code>v = p.v - n.v</code>, <code>i = p.i</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-150, 90}, {150, 50}}, textString = "%name", textColor = {0, 0, 255})}));
end TwoPin;
