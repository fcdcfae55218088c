within Mutabor.Thermal;
model Insulation "Conducts heat, or not"
  extends TwoPorts;
  parameter Units.ThermalConductance G = 1 "Conductance";
  Blocks.BooleanInput open "True: heat flows" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  Q_flow = if open then G*dT else 0;
  annotation(
    Documentation(info = "<html><p>A window or a door: conducts while <code>open</code> is true.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 40}, {90, -40}}, lineColor = {0, 0, 0}, fillColor = {225, 225, 225}, fillPattern = FillPattern.Solid),
      Line(points = {{-30, -30}, {30, 30}}),
      Line(points = {{0, 100}, {0, 40}}, color = {255, 0, 255})}));
end Insulation;
