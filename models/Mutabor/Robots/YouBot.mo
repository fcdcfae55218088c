within Mutabor.Robots;
model YouBot "Base with wheels, arm with five joints, and gripper, with their servo drives"
  import Mutabor.Bodies.{Object3D, Box, Cylinder};
  import Mutabor.Constants.pi;
  parameter String on = "world" "Object on which it stands";
  parameter Units.Position position[3] = {0, 0, 0.084} "Where the base is in it: 0.084 m above the ground";
  parameter Units.Angle rotation[3](each displayUnit = "deg") = {0, 0, 0} "How the base is turned in it";
  parameter Boolean contact = false "Whether the plate and the fingers touch what has contact";
  parameter String material = "DryWood" "Material of what touches";
  input Units.Angle arm[5](each displayUnit = "deg") "Reference angles of the arm";
  input Units.Position opening "Reference position of the gripper";

  Object3D base(parent = on, translation = position, rotation = rotation, mass = 19.803, centre = {-0.0001330625437, 7.436552086e-6, 0.005572350106},
    inertia = {{0.1893377857, -0.0003235270955, -6.274704818e-5}, {-0.0003235270955, 0.5143430381, -3.124995844e-5}, {-6.274704818e-5, -3.124995844e-5, 0.676626662}}) "Frame of the base";
  Object3D plate(parent = "base", translation = {-0.159, 0, 0.046}, mass = 2.397, centre = {-0.004764688687, -1.587607751e-7, 0.01028975117},
    inertia = {{0.01379909983, -1.521053278e-8, -3.915637999e-5}, {-1.521053278e-8, 0.01108415261, 2.933825725e-9}, {-3.915637999e-5, 2.933825725e-9, 0.02389366361}}) "Plate on which parts lie";
  Box surface(parent = "base", translation = {-0.16, 0, 0.0702}, lengthX = 0.22, lengthY = 0.22, lengthZ = 0.01, mass = 1e-9, contact = contact, material = material, color = "DimGray") "Upper side of the plate";
  Object3D plateLock(parent = "base", translation = {-0.19, 0, 0.0702}) "Where the plate holds a part";
  Object3D wheel[4](each parent = "base", translation = {{0.228, 0.158, -0.034}, {0.228, -0.158, -0.034}, {-0.228, 0.158, -0.034}, {-0.228, -0.158, -0.034}}, each mass = 1.4,
    each inertia = diagonal({0.001555270455, 0.00163045161, 0.001555177219})) "Wheels, which do not turn";
  Object3D armBase(parent = "base", translation = {0.143, 0, 0.046}, mass = 0.961, centre = {0.01522116894, -4.139093219e-5, 0.002043452103},
    inertia = {{0.002223545102, 1.298513441e-5, 4.387052983e-5}, {1.298513441e-5, 0.002836551599, 4.366353654e-6}, {4.387052983e-5, 4.366353654e-6, 0.004169887846}}) "Foot of the arm";
  Object3D shoulder(parent = "armBase", translation = {0.024, 0, 0.115}) "Carries the arm";

  Link link1(on = "shoulder", rotation = {pi, 0, 0}, reach = {0.033, 0, 0}, mass = 1.390, centre = {0.002787616495, -0.003460179273, 0.04100368573},
    inertia = {{0.00234944184, 0.0001981690772, 0.0002965145303}, {0.0001981690772, 0.002915680091, -0.0002933728452}, {0.0002965145303, -0.0002933728452, 0.003144748521}}) "Turns about the vertical";
  Link link2(on = "link1.tip", rotation = {pi/2, 0, -pi/2}, reach = {0.155, 0, 0}, mass = 1.318, centre = {0.06930646765, 0.001379200444, -0.0339925656},
    inertia = {{0.0006319954838, 2.064285314e-5, 5.992230935e-5}, {2.064285314e-5, 0.005291013125, -4.643392618e-6}, {5.992230935e-5, -4.643392618e-6, 0.005500959334}}) "Upper arm";
  Link link3(on = "link2.tip", rotation = {0, 0, -pi/2}, reach = {0, 0.135, 0}, mass = 0.821, centre = {-0.000158611672, 0.07907807744, 0.03075828581},
    inertia = {{0.002426864104, 9.398450882e-6, -5.459080936e-7}, {9.398450882e-6, 0.0003187866709, 0.000287007992}, {-5.459080936e-7, 0.000287007992, 0.002562126714}}) "Lower arm";
  Link link4(on = "link3.tip", reach = {0, 0.11316, 0}, mass = 0.769, centre = {-0.0001239238489, 0.04149298427, -0.00649300156},
    inertia = {{0.001226933432, 3.560570413e-7, -1.260121383e-7}, {3.560570413e-7, 0.0006960423564, -0.000218423681}, {-1.260121383e-7, -0.000218423681, 0.0009623199657}}) "Wrist";
  Link link5(on = "link4.tip", rotation = {-pi/2, 0, 0}, reach = {0, 0, 0.05716}, mass = 0.687, centre = {-0.0008658744884, -0.0006767359102, -0.02215872413},
    inertia = {{0.0004041484712, 1.964384229e-6, 6.575084594e-6}, {1.964384229e-6, 0.0002200076461, 1.969589294e-6}, {6.575084594e-6, 1.969589294e-6, 0.0004684477386}}) "Hand, turns about its length";
  Gripper gripper(on = "link5.tip", rotation = {0, 0, -pi}, contact = contact, material = material);

  Servo servo1(ratio = 156, J = 1.3909e-5, reference = arm[1]), servo2(ratio = 156, J = 1.3909e-5, reference = arm[2]);
  Servo servo3(ratio = 100, J = 1.3571e-5, reference = arm[3]), servo4(ratio = 71, J = 9.321e-6, reference = arm[4]);
  Servo servo5(ratio = 71, J = 3.571e-6, reference = arm[5]);
  LinearServo servo6(reference = opening);

  Box frameLook(parent = "base", lengthX = 0.57, lengthY = 0.24, lengthZ = 0.1, color = "DarkOrange") "What is seen of the base";
  Box plateLook(parent = "plate", translation = {0, 0, 0.01}, lengthX = 0.25, lengthY = 0.32, lengthZ = 0.02, color = "Silver");
  Cylinder wheelLook[4](parent = {"wheel[1]", "wheel[2]", "wheel[3]", "wheel[4]"}, each axis = 2, each diameter = 0.1, each length = 0.073, each color = "DimGray");
  Cylinder footLook(parent = "armBase", translation = {0.024, 0, 0.04}, diameter = 0.15, length = 0.07, color = "DarkOrange");
  Cylinder look1(parent = "link1.body", translation = {0, 0, 0.03}, diameter = 0.13, length = 0.12, color = "DarkOrange");
  Bodies.Beam look2(parent = "link2.body", translation = {0.0775, 0, -0.037}, length = 0.155, width = 0.07, thickness = 0.07, color = "DimGray");
  Bodies.Beam look3(parent = "link3.body", axis = 2, translation = {0, 0.0675, 0.033}, length = 0.135, width = 0.06, thickness = 0.06, color = "DarkOrange");
  Bodies.Beam look4(parent = "link4.body", axis = 2, translation = {0, 0.03, 0}, length = 0.06, width = 0.06, thickness = 0.06, color = "DimGray");
  Cylinder look5(parent = "link5.body", translation = {0, 0, -0.027}, diameter = 0.06, length = 0.04, color = "DarkOrange");
equation
  connect(servo1.flange, link1.flange);
  connect(servo2.flange, link2.flange);
  connect(servo3.flange, link3.flange);
  connect(servo4.flange, link4.flange);
  connect(servo5.flange, link5.flange);
  connect(servo6.flange, gripper.flange);
  annotation(
    Documentation(info = "<html><p>The robot of KUKA with the data that Modia3D has of it; z points up, so the <code>World</code> needs <code>direction = {0, 0, -1}</code>. Angles are zero where the arm is stretched upwards.
Parts are held by welds with <code>gripper.lock</code> and <code>plateLock</code>, or by contact: with <code>contact = true</code> they lie on the <code>surface</code> of the plate, and the pads of the gripper touch them. Masses and inertias are those of solid bodies of its shapes; what is seen of it are simple ones.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -40}, {90, -80}}, fillColor = {255, 140, 0}, fillPattern = FillPattern.Solid),
      Line(points = {{40, -40}, {40, 0}, {0, 60}, {-50, 30}, {-60, -10}}, thickness = 3),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end YouBot;
