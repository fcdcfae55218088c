within Mutabor.Electrical;
model Fuse "Ideal fuse: interrupts the circuit when it has melted"
  extends TwoPin;
  parameter Units.JouleIntegral I2t = 1 "Integral of the square of the current that melts the fuse";
  Units.JouleIntegral load(start = 0, fixed = true, nominal = 1) "Integral of the square of the current so far";
  Boolean blown(start = false, fixed = true) "The fuse has melted";
equation
  when load >= I2t then
    blown = true;
  end when;
  if blown then
    i = 0;
    load = I2t;
  else
    v = 0;
    der(load) = i^2;
  end if;
  annotation(
    Documentation(info = "<html><p>A short circuit until the integral of <code>i^2</code> reaches <code>I2t</code>, an interruption from then on. Heat
that is given off meanwhile is neglected, as for a fast fuse.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-60, 20}, {60, -20}}, lineColor = {0, 0, 255}),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255})}));
end Fuse;
