within Mutabor.Robots;
model Gripper "Two fingers, of which one moves"
  parameter String on "Object that carries it";
  parameter Units.Angle rotation[3](each displayUnit = "deg") = {0, 0, 0} "How it is turned in what carries it";
  parameter Units.Position s0 = 0 "How far it is open at the start";
  parameter Boolean contact = false "Whether the pads touch what has contact";
  parameter String material = "DryWood" "Material of the pads";
  Bodies.Object3D base(parent = on, rotation = rotation, mass = 0.199, centre = {-3.733459727e-5, 2.218406438e-5, -0.03511689176},
    inertia = {{0.0001987569198, 1.186679428e-6, 3.073379695e-8}, {1.186679428e-6, 8.934623739e-5, 9.549302687e-8}, {3.073379695e-8, 9.549302687e-8, 0.0001961342748}}) "What carries the fingers";
  Bodies.Object3D right(parent = "base", translation = {0, -0.03, 0}) "Inner side of the finger that is fixed";
  Bodies.Object3D rightFinger(parent = "right", translation = {0, -0.0082, 0}, mass = 0.01, centre = {-0.0002697896939, 0.001336929707, 0.01154284341},
    inertia = {{1.85880927e-6, -7.504774061e-9, -4.158028682e-8}, {-7.504774061e-9, 1.82428832e-6, -2.595070891e-7}, {-4.158028682e-8, -2.595070891e-7, 4.092409674e-7}}) "Finger that is fixed";
  Bodies.PrismaticWithFlange joint(obj1 = "right", obj2 = "left", axis = {0, 1, 0}, s0 = s0, s(fixed = true), v(fixed = true)) "Opens";
  Bodies.Object3D left "Inner side of the finger that moves";
  Bodies.Object3D leftFinger(parent = "left", translation = {0, 0.0082, 0}, mass = 0.01, centre = {-0.0002697896939, -0.001336929707, 0.01154284341},
    inertia = {{1.85880927e-6, 7.504774061e-9, -4.158028682e-8}, {7.504774061e-9, 1.82428832e-6, 2.595070891e-7}, {-4.158028682e-8, 2.595070891e-7, 4.092409674e-7}}) "Finger that moves";
  Bodies.Object3D lock(parent = "right", translation = {0.006, 0.005, 0.0225}) "Where a part is held";
  Bodies.Box housing(parent = "base", translation = {0, 0, -0.036}, lengthX = 0.05, lengthY = 0.093, lengthZ = 0.05, color = "Gray") "What is seen of the base";
  Bodies.Box rightPad(parent = "right", translation = {0, -0.0051, 0.0135}, lengthX = 0.012, lengthY = 0.010, lengthZ = 0.045, mass = 1e-9, contact = contact, material = material, color = "DimGray") "Touches the part";
  Bodies.Box leftPad(parent = "left", translation = {0, 0.0051, 0.0135}, lengthX = 0.012, lengthY = 0.010, lengthZ = 0.045, mass = 1e-9, contact = contact, material = material, color = "DimGray") "Touches the part";
  Translational.Flange flange "Opens the gripper" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
equation
  connect(flange, joint.flange);
  annotation(
    Documentation(info = "<html><p>The gripper of the YouBot. A part is held by a <code>Weld</code> with <code>lock</code>, or, with <code>contact = true</code>, by the pads of the fingers.</p></html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-30, 0}}, thickness = 3),
      Line(points = {{70, 50}, {-30, 50}, {-30, -50}, {70, -50}}, thickness = 3),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Gripper;
