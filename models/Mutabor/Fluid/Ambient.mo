within Mutabor.Fluid;
model Ambient "Pipe end in the open"
  parameter Units.Pressure p = 0 "Pressure, above that of the atmosphere";
  Port port annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
equation
  port.p = p;
  annotation(
    Documentation(info = "<html><p>Takes and gives any flow.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-90, 60}, {60, -60}}),
      Text(extent = {{-150, 110}, {150, 70}}, textString = "%name")}));
end Ambient;
