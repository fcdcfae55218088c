within Mutabor.Translational;
model Stop "Contact with impacts: flange_b stays on its side of flange_a"
  extends Compliant;
  parameter Real e(unit = "1", min = 0, max = 1) = 0.7 "Coefficient of restitution";
  parameter Units.Velocity v_rest(min = 0) = 1e-3 "After an impact that leaves less than this, the bodies stay in touch";
  inner Units.Velocity v_rel "Velocity of flange_b against flange_a";
  Apart apart "No force";
  Impact impact(e = e, v_rest = v_rest) "One instant";
  Touching touching "No distance, unless the bodies are torn apart";
  Boolean pressed(start = false) "The bodies press on each other";
protected
  Real s "Along the characteristic of a lasting contact: force while it presses, velocity when it is torn apart";
  block Apart "No contact"
  end Apart;
  block Touching "Lasting contact"
  end Touching;
  block Impact "Newton's law of impact"
    outer Units.Velocity v_rel;
    parameter Real e(unit = "1");
    parameter Units.Velocity v_rest;
    discrete Units.Velocity v(start = if -e*v_rel < v_rest then 0 else -e*v_rel, fixed = true)
      "Relative velocity after the impact";
  equation
    v = pre(v);
  end Impact;
equation
  v_rel = der(s_rel);
  pressed = activeState(touching) and s <= 0;
  if activeState(impact) then
    v_rel = impact.v;
    s = 0;
  elseif activeState(touching) then
    if pressed then
      s_rel = 0;
      s = f;
    else
      f = 0;
      s = v_rel;
    end if;
  else
    f = 0;
    s = v_rel;
  end if;
  initialState(apart);
  transition(apart, impact, s_rel <= 0 and v_rel < 0);
  transition(impact, touching, impact.v <= 0, priority = 1);
  transition(impact, apart, true, priority = 2);
  transition(touching, apart, not pressed);
  annotation(
    Documentation(info = "<html><p>When the distance becomes zero, the relative velocity is reversed and multiplied by <code>e</code>; the force has an impulse, so momentum is conserved
whatever is connected. A body that hardly bounces any more stays in touch until it is pulled away.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 60}, {-70, -60}}, lineColor = {0, 0, 0}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Line(points = {{-70, 0}, {-20, 0}}, pattern = LinePattern.Dot),
      Line(points = {{-20, 30}, {-20, -30}}),
      Line(points = {{-20, 0}, {90, 0}})}));
end Stop;
