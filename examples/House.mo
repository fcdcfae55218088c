model House "A thermostat heats a house; a window is open for an hour; ice melts in the kitchen"
  import Mutabor.Thermal.*;
  HeatCapacitor room(C = 2e6, T(start = 291, fixed = true)) "Air and furniture";
  HeatCapacitor walls(C = 5e6, T(start = 287, fixed = true));
  ThermalConductor inside(G = 400) "From the room into the walls";
  ThermalConductor outside(G = 100) "From the walls into the open";
  Insulation window(G = 150, open = time >= 4*3600 and time < 5*3600);
  PrescribedTemperature weather(T = 275 + 5*sin(2*Mutabor.Constants.pi*time/86400)) "Warmest after 6 h";
  Thermostat thermostat(T_low = 292, T_high = 294);
  PrescribedHeatFlow heater(Q_flow = if thermostat.on then 5000 else 0);
  MeltingBody ice(m = 5, T_start = 265) "A bucket of ice";
  ThermalConductor bucket(G = 10);
equation
  connect(heater.port, room.port);
  connect(thermostat.port, room.port);
  connect(room.port, inside.port_a);
  connect(inside.port_b, walls.port);
  connect(walls.port, outside.port_a);
  connect(outside.port_b, weather.port);
  connect(room.port, window.port_a);
  connect(window.port_b, weather.port);
  connect(room.port, bucket.port_a);
  connect(bucket.port_b, ice.port);
  annotation(experiment(StopTime = 43200, Tolerance = 1e-6));
end House;
