within Mutabor.Bodies;
partial model Joint "Two objects, and how one moves against the other"
  parameter String obj1 "Object on which the joint sits";
  parameter String obj2 "Object that it moves";
  annotation(
    Documentation(info = "<html><p>Names of objects are looked for beside the joint first, then in what is around it. Joints may close loops.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, fillColor = {210, 230, 210}, fillPattern = FillPattern.Solid),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end Joint;
