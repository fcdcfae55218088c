within Mutabor.Translational;
model Latch "Latch that snaps in and tears off"
  extends Compliant;
  parameter Units.Force f_max = 10 "Force that tears it open";
  parameter Units.Time hold = 1e-3 "Time after snapping in during which nothing tears it open";
  Units.Velocity v_rel "Velocity of flange_b against flange_a";
  Open open "No force";
  Locked locked "No distance";
protected
  block Open "Open latch"
  end Open;
  block Locked "Closed latch"
  end Locked;
equation
  v_rel = der(s_rel);
  if activeState(locked) then
    v_rel = 0;
  else
    f = 0;
  end if;
  initialState(open);
  transition(open, locked, s_rel <= 0 and v_rel < 0);
  transition(locked, open, timeInState() > hold and abs(f) > f_max);
  annotation(
    Documentation(info = "<html><p>Snaps in when the distance becomes zero from above, and then keeps the flanges together until a force larger than <code>f_max</code> acts. Snapping in takes
an impulse; momentum is conserved. That impulse does not tear it open, because nothing does for the time <code>hold</code>; later blows do.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-20, 0}, {10, 20}, {10, 0}, {20, 0}}),
      Line(points = {{90, 0}, {20, 0}}),
      Rectangle(extent = {{-90, -10}, {90, -20}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid)}));
end Latch;
