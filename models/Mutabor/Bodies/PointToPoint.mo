within Mutabor.Bodies;
model PointToPoint "A force along the line between two objects"
  parameter String obj1 "Object at one end";
  parameter String obj2 "Object at the other end";
  Units.Length length "Distance";
  Units.Velocity speed "Its derivative";
  input Units.Force force "Force that pulls the objects together";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.PointToPoint"),
    Documentation(info = "<html><p>The law of the force is an equation: <code>PointToPoint p(force = 100*(p.length - 1)^3, ...)</code>. Where the distance is zero there is no direction and no force.</p></html>"),
    Icon(graphics = {
      Line(points = {{-80, 0}, {80, 0}}, arrow = {Arrow.Filled, Arrow.Filled}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end PointToPoint;
