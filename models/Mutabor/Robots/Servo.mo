within Mutabor.Robots;
model Servo "Motor with a gear that turns a shaft to a reference angle"
  parameter Real ratio(unit = "1") = 100 "Ratio of the gear: angle of the motor divided by that of the flange";
  parameter Units.Inertia J = 1e-5 "Inertia of the motor";
  parameter Real kPosition(unit = "1/s") = 50 "Speed of the motor for an angle that is missing";
  parameter Real kSpeed(unit = "N.m.s/rad") = 0.1 "Torque of the motor for a speed that is missing";
  parameter Units.Time T(min = 0) = 1 "Integral action time of the control of the speed";
  Blocks.RealInput reference(unit = "rad", displayUnit = "deg") "Angle that the flange should have" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Rotational.Flange flange "Turns what is driven" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Rotational.Inertia motor(J = J) "Rotor of the motor";
  Rotational.IdealGear gear(ratio = ratio) "Between motor and flange";
  Rotational.Torque torque(tau = kSpeed*(x + u)) "Torque of the motor";
  Units.AngularVelocity u "Speed of the motor that is missing";
  Units.AngularVelocity x(start = 0, fixed = true) "Its integral, divided by T";
equation
  u = kPosition*(ratio*reference - motor.phi) - motor.w;
  T*der(x) = u;
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, gear.flange_a);
  connect(gear.flange_b, flange);
  annotation(
    Documentation(info = "<html><p>A proportional control of the angle of the motor, and below it a proportional-integral control of its speed. The housing is fixed in what carries the joint.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 50}, {20, -50}}, fillColor = {220, 220, 235}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 70}, {60, -70}}, fillColor = {200, 200, 200}, fillPattern = FillPattern.Solid),
      Line(points = {{60, 0}, {90, 0}}, thickness = 2),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Servo;
