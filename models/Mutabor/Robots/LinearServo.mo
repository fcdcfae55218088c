within Mutabor.Robots;
model LinearServo "Motor that moves a slider to a reference position"
  parameter Units.Mass m = 0.1 "Mass of the motor that moves with the slider";
  parameter Real kPosition(unit = "1/s") = 50 "Speed for a distance that is missing";
  parameter Real kSpeed(unit = "N.s/m") = 10 "Force for a speed that is missing";
  parameter Units.Time T(min = 0) = 1 "Integral action time of the control of the speed";
  Blocks.RealInput reference(unit = "m") "Position that the flange should have" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Translational.Flange flange "Moves what is driven" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Translational.Mass motor(m = m) "Moving part of the motor";
  Translational.Force force(f = kSpeed*(x + u)) "Force of the motor";
  Units.Velocity u "Speed that is missing";
  Units.Velocity x(start = 0, fixed = true) "Its integral, divided by T";
equation
  u = kPosition*(reference - motor.s) - motor.v;
  T*der(x) = u;
  connect(force.flange, motor.flange_a);
  connect(motor.flange_b, flange);
  annotation(
    Documentation(info = "<html><p>A proportional control of the position, and below it a proportional-integral control of the speed.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 50}, {40, -50}}, fillColor = {220, 220, 235}, fillPattern = FillPattern.Solid),
      Line(points = {{40, 0}, {90, 0}}, thickness = 2),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end LinearServo;
