model Curling "A stone strikes two others on the ice, and all slide until friction stops them: rigid contact"
  import Mutabor.Bodies.*;
  parameter Real speed(unit = "m/s") = 2 "Of the first stone at the start";
  parameter Real aside(unit = "m") = 0.12 "How far the third stone is from the line of the first two";
  World world(rigidContact = true, direction = {0, 0, -1}, camera = {1.2, -3.6, 2.4}, target = {0.4, 0.1, 0});
  ContactLaw stones(material1 = "Concrete", restitution = 0.8, friction = 0);
  ContactLaw gliding(material1 = "Concrete", material2 = "Ice", restitution = 0, friction = 0.05);
  Box ice(parent = "world", translation = {0, 0, -0.05}, lengthX = 6, lengthY = 1.6, lengthZ = 0.1, material = "Ice", contact = true);
  Cylinder circle[3](
    each parent = "world", translation = {{1.6, 0, 0.0005*k} for k in 1:3}, each axis = 3,
    diameter = {1.2, 0.8, 0.3}, each length = 1e-3, each mass = 0, color = {"SteelBlue", "White", "FireBrick"});
  model Stone "With its handle"
    parameter Real position[2](each unit = "m");
    parameter Real velocity(unit = "m/s") = 0;
    parameter String color;
    Cylinder body(
      fixed = false, translation = {position[1], position[2], 0.06}, velocity = {velocity, 0, 0}, axis = 3,
      diameter = 0.29, length = 0.12, mass = 19, material = "Concrete", contact = true, color = "DimGray");
    Cylinder handle(parent = "body", translation = {0, 0, 0.07}, axis = 3, diameter = 0.18, length = 0.02, mass = 0, color = color);
  end Stone;
  Stone first(position = {-2.5, 0}, velocity = speed, color = "Gold");
  Stone second(position = {0, 0}, color = "FireBrick");
  Stone third(position = {0.8, aside}, color = "FireBrick");
  annotation(experiment(StopTime = 5, Tolerance = 1e-8));
end Curling;
