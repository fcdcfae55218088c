within Mutabor;
package Fluid "Tanks, pipes and valves for a liquid"
  annotation(
    Documentation(info = "<html><p>Incompressible flow of one liquid. Pressures are counted from that of the atmosphere. Ports are simpler than those of the Modelica Standard
Library, which carry enthalpy and composition as well.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 0, 0}),
      Rectangle(extent = {{-50, 10}, {50, -50}}, lineColor = {0, 0, 0}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Solid)}));
end Fluid;
