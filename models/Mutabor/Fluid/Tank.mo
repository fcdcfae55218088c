within Mutabor.Fluid;
model Tank "Open tank that can run over and run dry"
  parameter Units.Area A = 1 "Area of the cross section";
  parameter Units.Length height = 1 "Height of the walls";
  parameter Units.Density rho = 1000 "Density of the liquid";
  Port inlet "Pipe that ends above the liquid" annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Port outlet "At the bottom" annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
  Units.Length h(start = 0) "Level";
  Units.MassFlowRate overflow "What runs over the walls";
  Boolean full(start = false) "The tank runs over";
  Boolean dry(start = false) "The tank is empty and the outlet draws more than flows in";
protected
  Real above(start = -1) "Overflow of the full tank, otherwise level above the walls";
  Real below(start = -1) "Suction at the outlet of the dry tank, otherwise level below the bottom";
equation
  inlet.p = 0;
  A*rho*der(h) = inlet.m_flow + outlet.m_flow - overflow;
  full = above > 0;
  if full then
    h = height;
    overflow = above;
  else
    h = height + above;
    overflow = 0;
  end if;
  dry = below > 0;
  if dry then
    h = 0;
    outlet.p = -below;
  else
    h = -below;
    outlet.p = rho*Constants.g*h;
  end if;
  annotation(
    Documentation(info = "<html><p>The level is a state while it is between bottom and top. A full tank loses through <code>overflow</code> what it cannot hold. A dry tank passes on
what flows in, with the suction at the outlet that this takes. Give the initial level as <code>h(start = 0.5, fixed = true)</code>.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 20}, {80, -90}}, lineColor = {0, 0, 0}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-80, 90}, {-80, -90}, {80, -90}, {80, 90}}),
      Text(extent = {{-150, -100}, {150, -140}}, textString = "%name")}));
end Tank;
