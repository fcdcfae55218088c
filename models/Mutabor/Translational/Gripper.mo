within Mutabor.Translational;
model Gripper "Gripper that holds ideally"
  extends Compliant;
  Blocks.BooleanInput closed "True: both flanges have the same velocity" annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = -90)));
  Units.Velocity v_rel "Velocity of flange_b against flange_a";
equation
  v_rel = der(s_rel);
  if closed then
    v_rel = 0;
  else
    f = 0;
  end if;
  annotation(
    Documentation(info = "<html><p>Closed, it keeps the distance that the flanges have; open, there is no force. A mass that is gripped in motion jumps to the velocity of the gripper:
momentum is conserved, and the force has an impulse.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-30, 0}}),
      Line(points = {{20, 30}, {-30, 30}, {-30, -30}, {20, -30}}),
      Rectangle(extent = {{0, 20}, {40, -20}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{40, 0}, {90, 0}}),
      Line(points = {{0, 100}, {0, 30}}, color = {255, 0, 255}, pattern = LinePattern.Dash)}));
end Gripper;
