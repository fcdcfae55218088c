model Tanks "Water from a tap runs through two tanks: the upper one runs over, the lower one runs dry"
  import Mutabor.Fluid.*;
  PrescribedFlow tap(m_flow = if time < 150 then 6 else 0) "Open for 150 s";
  Tank upper(A = 0.5, height = 0.8, h(start = 0.1, fixed = true));
  Pipe pipe(k = 4e-4) "From the upper to the lower tank";
  Tank lower(A = 1, height = 1, h(start = 0.02, fixed = true));
  Pipe outlet(k = 2e-4);
  Ambient sewer(p = -3000) "A pipe that leads down and sucks";
equation
  connect(tap.port, upper.inlet);
  connect(upper.outlet, pipe.port_a);
  connect(pipe.port_b, lower.inlet);
  connect(lower.outlet, outlet.port_a);
  connect(outlet.port_b, sewer.port);
  annotation(experiment(StopTime = 900, Tolerance = 1e-8));
end Tanks;
