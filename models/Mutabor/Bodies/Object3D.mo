within Mutabor.Bodies;
model Object3D "A frame, fixed in another object or free to move, with the mass that is given"
  parameter String parent = "" "Name of the object in which it is placed; none: a joint carries it, or it is free in the world";
  parameter Boolean fixed = true "Whether it is fixed in its parent; otherwise it moves freely";
  parameter Units.Position translation[3] = {0, 0, 0} "Where it is in its parent, at the start where it is free";
  parameter Units.Angle rotation[3](each displayUnit = "deg") = {0, 0, 0} "How it is turned in its parent: about x, then the new y, then the new z";
  parameter Units.Velocity velocity[3] = {0, 0, 0} "Start velocity of a free object against its parent, along the axes of the parent";
  parameter Units.AngularVelocity angularVelocity[3] = {0, 0, 0} "Start angular velocity of a free object against its parent, along the axes of the parent";
  parameter Units.Mass mass = 0 "Mass";
  parameter Units.Position centre[3] = {0, 0, 0} "Centre of mass";
  parameter Real inertia[3, 3](each unit = "kg.m2") = zeros(3, 3) "Inertia about the centre of mass, along the axes of the object";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Object3D"),
    Documentation(info = "<html><p>Names of parents are looked for beside the object first, then in what is around it. What a joint moves has no parent. All objects that are fixed in each other are one body. Results: position <code>r</code>, velocity <code>v</code> and angular velocity <code>w</code> in the world, <code>angles</code> about x, y, z as in <code>rotation</code>.</p></html>"),
    Icon(graphics = {
      Line(points = {{-60, -60}, {-60, 60}}, color = {0, 128, 0}, arrow = {Arrow.None, Arrow.Filled}),
      Line(points = {{-60, -60}, {60, -60}}, color = {200, 0, 0}, arrow = {Arrow.None, Arrow.Filled}),
      Line(points = {{-60, -60}, {10, -10}}, color = {0, 0, 200}, arrow = {Arrow.None, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Object3D;
