within Mutabor.Fluid;
model Orifice "Opening with turbulent flow"
  extends TwoPorts;
  parameter Units.Area A = 1e-3 "Area of the jet";
  parameter Units.Density rho = 1000 "Density of the liquid";
  Units.Velocity v "Velocity of the jet";
equation
  m_flow = rho*A*v;
  dp = rho/2*v*abs(v);
  annotation(
    Documentation(info = "<html><p>Torricelli's law: <code>v = sqrt(2*dp/rho)</code>. There is no laminar region near zero, so a tank runs empty in finite
time.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 25}, {90, -25}}, lineColor = {0, 0, 0}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-10, 25}, {10, 8}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-10, -8}, {10, -25}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid)}));
end Orifice;
