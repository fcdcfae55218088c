within Mutabor.Thermal;
model ThermalContact "Ideal thermal contact"
  extends TwoPorts;
  Blocks.BooleanInput touching "True: both ports have the same temperature" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  if touching then
    dT = 0;
  else
    Q_flow = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Bodies that touch take one common temperature at once: energy is conserved, and the heat flow has an impulse. Two states become one.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-60, 50}, {-5, -50}}, lineColor = {0, 0, 0}, fillColor = {225, 225, 225}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{5, 50}, {60, -50}}, lineColor = {0, 0, 0}, fillColor = {225, 225, 225}, fillPattern = FillPattern.Solid),
      Line(points = {{0, 100}, {0, 50}}, color = {255, 0, 255})}));
end ThermalContact;
