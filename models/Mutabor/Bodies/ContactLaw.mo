within Mutabor.Bodies;
model ContactLaw "What two materials do to each other where they touch"
  parameter String material1 = "" "Material of one shape; none: any";
  parameter String material2 = "" "Material of the other; none: any";
  parameter Real restitution(unit = "1") = 0.7 "Speed after an impact by the speed before it";
  parameter Real friction(unit = "1") = 0.5 "Force of friction by normal force";
  parameter Real rolling(unit = "1") = 0 "Torque against rolling and turning by normal force and radius";
  parameter Real stiffness(unit = "1") = 1 "By how much it is stiffer than the materials say";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.ContactLaw"),
    Documentation(info = "<html><p>A law of two materials goes before one of a material and any other, and that before one of all. Materials of the palette have typical values. How stiff a contact is follows from the materials and from the curvature of the shapes (Hertz); with a smaller <code>stiffness</code> simulations are faster, and shapes go deeper into each other.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 30}, {0, -40}}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{0, 30}, {70, -40}}, fillColor = {192, 192, 192}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end ContactLaw;
