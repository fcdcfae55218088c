within Mutabor.Fluid;
model Pipe "Pipe with laminar flow"
  extends TwoPorts;
  parameter Real k(unit = "kg/(s.Pa)") = 1e-3 "Mass flow per pressure";
equation
  m_flow = k*dp;
  annotation(
    Documentation(info = "<html><p><code>m_flow = k*dp</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 25}, {90, -25}}, lineColor = {0, 0, 0}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Solid)}));
end Pipe;
