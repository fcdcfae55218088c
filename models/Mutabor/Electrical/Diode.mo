within Mutabor.Electrical;
model Diode "Ideal diode"
  extends TwoPin;
  parameter Units.Voltage Vforward(min = 0) = 0 "Voltage of the conducting diode";
  Boolean off(start = true) "The diode blocks";
protected
  Real s(start = -1) "Along the characteristic: current of the conducting, voltage of the blocking diode";
equation
  off = s < 0;
  v = (if off then s else 0) + Vforward;
  i = if off then 0 else s;
  annotation(
    Documentation(info = "<html><p>Conducts from p to n with the voltage <code>Vforward</code>, blocks in the other direction without any current.
Which of the diodes of a circuit conduct is found together, also when several change at the same instant.</p></html>"),
    Icon(graphics = {
      Polygon(points = {{-30, 40}, {30, 0}, {-30, -40}, {-30, 40}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{30, 40}, {30, -40}}, color = {0, 0, 255})}));
end Diode;
