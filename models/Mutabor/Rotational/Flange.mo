within Mutabor.Rotational;
connector Flange "Flange of a shaft"
  Units.Angle phi "Angle of the flange";
  flow Units.Torque tau "Torque into the component";
  annotation(
    Documentation(info = "<html><p>Has the variables of <code>Modelica.Mechanics.Rotational.Interfaces.Flange_a</code> and <code>Flange_b</code>, and connects with them.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-100, 100}, {100, -100}}, fillColor = {95, 95, 95}, fillPattern = FillPattern.Solid)}));
end Flange;
