package Circuits "Circuits that are switched very often"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v(unit = "V") "Voltage from p to n";
    Real i(unit = "A") "Current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*i;
  end Resistor;

  model Inductor
    extends TwoPin(i(start = 0, fixed = true));
    parameter Real L(unit = "H") = 1;
  equation
    L*der(i) = v;
  end Inductor;

  model Capacitor
    extends TwoPin(v(start = 0));
    parameter Real C(unit = "F") = 1;
  equation
    C*der(v) = i;
  end Capacitor;

  model Source
    extends TwoPin;
    parameter Real V(unit = "V") = 1;
  equation
    v = V;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Switch "Ideal: no voltage when closed, no current when open"
    extends TwoPin;
    Boolean closed;
  equation
    if closed then
      v = 0;
    else
      i = 0;
    end if;
  end Switch;

  model Section "Of a ladder: R and L in series, C to ground"
    Pin p, n, g;
    parameter Real charge = 0 "Initial voltage";
    Resistor resistor(R = 0.1);
    Inductor inductor(L = 1);
    Capacitor capacitor(C = 1, v(start = charge));
  equation
    connect(p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, n);
    connect(n, capacitor.p);
    connect(capacitor.n, g);
  end Section;

  model Taps "A capacitor that a rotary switch connects to one of the first nodes of a ladder"
    parameter Integer sections = 36;
    parameter Integer taps = 20;
    parameter Real interval = 1e-3 "Time between two changes";
    parameter Boolean turning = true;
    Section section[sections](charge = {1 + 0.01*k for k in 1:sections});
    Source source;
    Resistor load(R = 1);
    Ground ground;
    Switch tap[taps](closed = {position == k for k in 1:taps});
    Capacitor moved(C = 0.5);
    Integer position(start = 1, fixed = true);
  equation
    connect(source.p, section[1].p);
    connect(source.n, ground.p);
    for k in 1:sections loop
      connect(section[k].g, ground.p);
    end for;
    for k in 1:sections - 1 loop
      connect(section[k].n, section[k + 1].p);
    end for;
    connect(section[sections].n, load.p);
    connect(load.n, ground.p);
    for k in 1:taps loop
      connect(section[k].n, tap[k].p);
      connect(tap[k].n, moved.p);
    end for;
    connect(moved.n, ground.p);
    when turning and sample(interval, interval) then
      position = mod(pre(position), taps) + 1;
    end when;
  end Taps;

  model Damped "A section of a ladder whose capacitor can be damped"
    extends Section;
    Switch switch;
    Resistor damper(R = 2);
  equation
    connect(n, switch.p);
    connect(switch.n, damper.p);
    connect(damper.n, g);
  end Damped;

  model Switches "A ladder with a switch in each section, toggled one after the other"
    parameter Integer switches = 10;
    parameter Real interval = 1e-3 "Time between two changes";
    parameter Boolean toggling = true;
    Damped section[switches](charge = {1 + 0.01*k for k in 1:switches}, switch(closed = closed));
    Source source;
    Resistor load(R = 1);
    Ground ground;
    Boolean closed[switches](each start = false, each fixed = true);
    Integer next(start = 0, fixed = true);
  equation
    connect(source.p, section[1].p);
    connect(source.n, ground.p);
    for k in 1:switches loop
      connect(section[k].g, ground.p);
    end for;
    for k in 1:switches - 1 loop
      connect(section[k].n, section[k + 1].p);
    end for;
    connect(section[switches].n, load.p);
    connect(load.n, ground.p);
    when toggling and sample(interval, interval) then
      next = mod(pre(next), switches) + 1;
      for k in 1:switches loop
        closed[k] = if k == next then not pre(closed[k]) else pre(closed[k]);
      end for;
    end when;
  end Switches;
end Circuits;
