within Mutabor.Rotational;
model IdealGear "Gear without inertia, elasticity and losses"
  extends TwoFlanges;
  parameter Real ratio(unit = "1") = 1 "Angle of flange_a divided by that of flange_b";
equation
  flange_a.phi = ratio*flange_b.phi;
  ratio*flange_a.tau + flange_b.tau = 0;
  annotation(
    Documentation(info = "<html><p>The housing is fixed.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 60}, {-20, -60}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 40}, {50, -40}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-40, 0}}),
      Line(points = {{40, 0}, {90, 0}}),
      Text(extent = {{-150, -60}, {150, -100}}, textString = "ratio=%ratio")}));
end IdealGear;
