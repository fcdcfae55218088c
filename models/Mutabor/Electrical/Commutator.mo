within Mutabor.Electrical;
model Commutator "Ideal switch between two ways"
  Pin p "Common pin" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Pin n1 "Connected while first is true" annotation(Placement(transformation(extent = {{90, 40}, {110, 60}})));
  Pin n2 "Connected while first is false" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Blocks.BooleanInput first "True: p is connected with n1, false: with n2" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
equation
  p.i + n1.i + n2.i = 0;
  if first then
    p.v = n1.v;
    n2.i = 0;
  else
    p.v = n2.v;
    n1.i = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>The pin that is not connected carries no current.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-40, 0}}, color = {0, 0, 255}),
      Line(points = {{-37, 2}, {40, 50}}, color = {0, 0, 255}),
      Line(points = {{40, 50}, {90, 50}}, color = {0, 0, 255}),
      Line(points = {{40, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -20}, {150, -60}}, textString = "%name", textColor = {0, 0, 255})}));
end Commutator;
