within Mutabor.Electrical;
model Thyristor "Ideal thyristor"
  extends TwoPin;
  parameter Units.Voltage Vforward(min = 0) = 0 "Voltage of the conducting thyristor";
  Blocks.BooleanInput fire "Gate: lets the thyristor begin to conduct" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {60, 120}, rotation = -90)));
  Boolean off(start = true, fixed = true) "The thyristor blocks";
protected
  Real s(start = -1) "Along the characteristic: current of the conducting, voltage of the blocking thyristor";
equation
  off = s < 0 or pre(off) and not fire;
  v = (if off then s else 0) + Vforward;
  i = if off then 0 else s;
  annotation(
    Documentation(info = "<html><p>Begins to conduct when the gate is on and the voltage is positive. Conducts until the current ends, whatever the
gate says.</p></html>"),
    Icon(graphics = {
      Polygon(points = {{-30, 40}, {30, 0}, {-30, -40}, {-30, 40}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{30, 40}, {30, -40}}, color = {0, 0, 255}),
      Line(points = {{30, 20}, {60, 50}, {60, 100}}, color = {255, 0, 255})}));
end Thyristor;
