within Mutabor.Robots;
model Link "A piece of an arm, with the joint that carries it"
  parameter String on "Object that carries it";
  parameter Units.Angle rotation[3](each displayUnit = "deg") = {0, 0, 0} "How the joint is turned in what carries it";
  parameter Units.Position reach[3] = {0, 0, 0} "Where the next piece is carried";
  parameter Units.Mass mass = 1 "Mass";
  parameter Units.Position centre[3] = {0, 0, 0} "Centre of mass";
  parameter Real inertia[3, 3](each unit = "kg.m2") = 0.01*identity(3) "Inertia about the centre of mass";
  parameter Units.Angle phi0(displayUnit = "deg") = 0 "Angle at the start";
  Bodies.Object3D seat(parent = on, rotation = rotation) "Where the joint sits";
  Bodies.RevoluteWithFlange joint(obj1 = "seat", obj2 = "body", phi0 = phi0, phi(fixed = true), w(fixed = true)) "Turns about z";
  Bodies.Object3D body(mass = mass, centre = centre, inertia = inertia) "What turns";
  Bodies.Object3D tip(parent = "body", translation = reach) "Where the next piece is carried";
  Rotational.Flange flange "Turns the piece" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
equation
  connect(flange, joint.flange);
  annotation(
    Documentation(info = "<html><p>The joint turns about the z axis of <code>seat</code>. What is seen of a link is fixed in its <code>body</code>.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-90, 20}, {-50, -20}}),
      Line(points = {{-50, 0}, {90, 0}}, thickness = 3),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Link;
