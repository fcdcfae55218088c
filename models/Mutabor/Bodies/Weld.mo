within Mutabor.Bodies;
model Weld "Holds two objects together while it is active"
  extends Joint;
  Boolean active = true "Whether it holds";
  annotation(
    __Mutabor(builtIn = "Mutabor.Bodies.Weld"),
    Documentation(info = "<html><p>Where it becomes active, the objects keep the position and the orientation against each other that they have then; velocities jump so that momentum is conserved. A weld may close loops and may hold what is free. At the start it holds objects as they are placed.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-70, 30}, {70, -30}}, textString = "Weld"),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Weld;
