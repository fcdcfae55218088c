within Mutabor.Thermal;
model MeltingBody "Body that melts and freezes"
  parameter Units.Mass m = 1 "Mass";
  parameter Units.SpecificHeatCapacity c_solid = 2100 "Heat capacity of the solid";
  parameter Units.SpecificHeatCapacity c_liquid = 4200 "Heat capacity of the liquid";
  parameter Units.SpecificEnergy L = 334e3 "Heat of fusion";
  parameter Units.Temperature T_melt = 273.15 "Melting point";
  parameter Units.Temperature T_start = 263.15 "Temperature at the beginning";
  HeatPort port "Port" annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
  Units.Temperature T(start = T_start, fixed = true) "Temperature";
  Real x(unit = "1", min = 0, max = 1) "Share of the liquid";
  Units.Energy H "Enthalpy, zero for the solid at its melting point";
  Solid solid "The temperature is the state";
  Melting melting "The share of the liquid is the state";
  Liquid liquid "The temperature is the state";
protected
  block Solid "All is solid"
  end Solid;
  block Melting "Solid and liquid"
  end Melting;
  block Liquid "All is liquid"
  end Liquid;
equation
  T = port.T;
  der(H) = port.Q_flow;
  if activeState(melting) then
    H = m*L*x;
    T = T_melt;
  elseif activeState(liquid) then
    H = m*(L + c_liquid*(T - T_melt));
    x = 1;
  else
    H = m*c_solid*(T - T_melt);
    x = 0;
  end if;
  initialState(solid);
  transition(solid, liquid, initial() and T_start > T_melt, priority = 1,
    actions = {reinit(H, m*(L + c_liquid*(T_start - T_melt)))});
  transition(solid, melting, T >= T_melt and port.Q_flow > 0, priority = 2);
  transition(melting, liquid, x >= 1 and port.Q_flow > 0, priority = 1);
  transition(melting, solid, x <= 0 and port.Q_flow < 0, priority = 2);
  transition(liquid, melting, T <= T_melt and port.Q_flow < 0);
  annotation(
    Documentation(info = "<html><p>Ice and water, by default. While it melts or freezes, the temperature stays at <code>T_melt</code> and the share of the liquid
changes. The enthalpy is conserved whatever happens: ice that touches a hot body without any resistance melts as far as the heat goes. With other parameters it is a
liquid that boils in a closed vessel.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-70, 70}, {70, -70}}, lineColor = {0, 0, 0}),
      Rectangle(extent = {{-70, 0}, {70, -70}}, lineColor = {0, 0, 0}, fillColor = {170, 213, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name")}));
end MeltingBody;
