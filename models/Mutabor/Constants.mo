within Mutabor;
package Constants "Constants of mathematics and nature"
  constant Real pi = acos(-1) "Ratio of a circle's circumference to its diameter";
  constant Units.Acceleration g = 9.80665 "Standard acceleration of free fall";
  annotation(
    Documentation(info = "<html><p>Numbers that models of several domains use.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 60}, {80, -60}}, textString = "π")}));
end Constants;
