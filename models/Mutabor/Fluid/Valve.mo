within Mutabor.Fluid;
model Valve "Ideal valve"
  extends TwoPorts;
  Blocks.BooleanInput open "True: no resistance, false: no flow" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  if open then
    dp = 0;
  else
    m_flow = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Open it has no resistance, so it needs one in series. Opened between two tanks it makes their levels equal at once: mass is conserved and the flow
has an impulse.</p></html>"),
    Icon(graphics = {
      Polygon(points = {{-60, 40}, {60, -40}, {60, 40}, {-60, -40}, {-60, 40}}, lineColor = {0, 127, 255}),
      Line(points = {{-90, 0}, {-60, 0}}, color = {0, 127, 255}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 127, 255}),
      Line(points = {{0, 100}, {0, 0}}, color = {255, 0, 255})}));
end Valve;
