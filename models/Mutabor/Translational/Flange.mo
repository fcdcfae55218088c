within Mutabor.Translational;
connector Flange "Flange of a body"
  Units.Position s "Position of the flange";
  flow Units.Force f "Force into the component";
  annotation(
    Documentation(info = "<html><p>Has the variables of <code>Modelica.Mechanics.Translational.Interfaces.Flange_a</code> and <code>Flange_b</code>, and connects with them.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, fillColor = {0, 127, 0}, fillPattern = FillPattern.Solid)}));
end Flange;
