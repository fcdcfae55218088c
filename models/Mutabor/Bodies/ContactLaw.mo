within Mutabor.Bodies;
model ContactLaw "What two materials do to each other where they touch"
  parameter String material1 "Material of one shape";
  parameter String material2 "Material of the other";
  parameter Real restitution(unit = "1") = 0.7 "Speed after an impact by the speed before it";
  parameter Real friction(unit = "1") = 0.3 "Force of friction by normal force";
  parameter Real rolling(unit = "1") = 0 "Torque against rolling and turning by normal force and radius";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.ContactLaw"),
    Documentation(info = "<html><p>Of materials without a law, restitution is 0.7 and friction 0.3. How stiff a contact is follows from the materials and from the curvature of the shapes (Hertz).</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 30}, {0, -40}}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{0, 30}, {70, -40}}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end ContactLaw;
