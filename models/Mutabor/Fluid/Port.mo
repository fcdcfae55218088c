within Mutabor.Fluid;
connector Port "Port for a liquid"
  Units.Pressure p "Pressure, above that of the atmosphere";
  flow Units.MassFlowRate m_flow "Mass flow into the component";
  annotation(
    Documentation(info = "<html><p>Pressure and mass flow.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 127, 255}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Solid)}));
end Port;
