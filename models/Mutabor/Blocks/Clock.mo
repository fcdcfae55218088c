within Mutabor.Blocks;
block Clock "Time as a signal"
  extends RealSource;
  parameter Units.Time startTime = 0 "Counted from this time on";
equation
  y = if time < startTime then 0 else time - startTime;
  annotation(
    Documentation(info = "<html><p>Zero until <code>startTime</code>, then the time since.</p></html>"),
    Icon(graphics = {Ellipse(extent = {{-70, 70}, {70, -70}}), Line(points = {{0, 50}, {0, 0}, {30, 0}})}));
end Clock;
