within Mutabor.Electrical;
connector Pin "Pin of an electrical component"
  Units.ElectricPotential v "Potential at the pin";
  flow Units.Current i "Current flowing into the pin";
  annotation(
    defaultComponentName = "pin",
    Documentation(info = "<html><p>Has the variables of <code>Modelica.Electrical.Analog.Interfaces.Pin</code> and connects with it.</p></html>"),
    Icon(graphics = {Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}));
end Pin;
