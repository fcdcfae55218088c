within Mutabor.Electrical;
model EMF "Electromotive force: the ideal electric motor"
  Pin p "Positive pin" annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Pin n "Negative pin" annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
  Rotational.Flange flange "Shaft" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Real k(unit = "N.m/A") = 1 "Torque per current, and voltage per speed";
  Units.Voltage v "Voltage from p to n";
  Units.Current i "Current from p to n";
  Units.AngularVelocity w "Speed of the shaft";
equation
  v = p.v - n.v;
  i = p.i;
  p.i + n.i = 0;
  w = der(flange.phi);
  v = k*w;
  flange.tau = -k*i;
  annotation(
    Documentation(info = "<html><p><code>v = k*w</code> and torque <code>k*i</code>: electrical power becomes mechanical power without losses, and back. With a
resistor, an inductor and an inertia it is a direct current motor. The housing is fixed.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 255}),
      Line(points = {{0, 90}, {0, 50}}, color = {0, 0, 255}),
      Line(points = {{0, -50}, {0, -90}}, color = {0, 0, 255}),
      Line(points = {{50, 0}, {90, 0}}),
      Text(extent = {{-150, 40}, {-60, 0}}, textString = "%name", textColor = {0, 0, 255})}));
end EMF;
