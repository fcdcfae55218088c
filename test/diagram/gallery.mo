package Gallery "Everything that drawings can show"
  model Primitives "Items with all their patterns"
    annotation(Icon(coordinateSystem(extent = {{-200, -200}, {200, 200}}, initialScale = 0.1), graphics = {
      Rectangle(extent = {{-190, 150}, {-150, 190}}, fillColor = {255, 213, 136}, fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-140, 150}, {-100, 190}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Horizontal),
      Rectangle(extent = {{-90, 150}, {-50, 190}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Vertical),
      Rectangle(extent = {{-40, 150}, {0, 190}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Cross),
      Rectangle(extent = {{10, 150}, {50, 190}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Forward),
      Rectangle(extent = {{60, 150}, {100, 190}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Backward),
      Rectangle(extent = {{110, 150}, {150, 190}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.CrossDiag),
      Rectangle(extent = {{160, 150}, {190, 190}}, radius = 10, lineColor = {0, 0, 255}, lineThickness = 0.5),
      Rectangle(extent = {{-190, 100}, {-110, 140}}, lineColor = {64, 64, 64}, fillColor = {192, 192, 192}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{-100, 100}, {-60, 140}}, lineColor = {0, 0, 127}, fillColor = {170, 213, 255}, fillPattern = FillPattern.VerticalCylinder),
      Ellipse(extent = {{-50, 100}, {-10, 140}}, lineColor = {0, 24, 48}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Sphere),
      Rectangle(extent = {{0, 100}, {40, 140}}, fillColor = {235, 235, 235}, fillPattern = FillPattern.Solid, borderPattern = BorderPattern.Raised),
      Rectangle(extent = {{50, 100}, {90, 140}}, fillColor = {235, 235, 235}, fillPattern = FillPattern.Solid, borderPattern = BorderPattern.Sunken),
      Rectangle(extent = {{100, 100}, {140, 140}}, fillColor = {235, 235, 235}, fillPattern = FillPattern.Solid, borderPattern = BorderPattern.Engraved),
      Polygon(points = {{150, 100}, {190, 100}, {190, 140}, {170, 120}}, smooth = Smooth.Bezier, fillColor = {200, 255, 200}, fillPattern = FillPattern.Solid),
      Line(points = {{-190, 80}, {-110, 80}}, pattern = LinePattern.Dash),
      Line(points = {{-190, 70}, {-110, 70}}, pattern = LinePattern.Dot),
      Line(points = {{-190, 60}, {-110, 60}}, pattern = LinePattern.DashDot),
      Line(points = {{-190, 50}, {-110, 50}}, pattern = LinePattern.DashDotDot),
      Line(points = {{-90, 50}, {-60, 90}, {-30, 50}, {0, 90}}, smooth = Smooth.Bezier, color = {255, 0, 0}, thickness = 1),
      Line(points = {{10, 60}, {90, 60}}, arrow = {Arrow.Open, Arrow.Filled}),
      Line(points = {{10, 80}, {90, 80}}, arrow = {Arrow.Half, Arrow.Half}, color = {0, 128, 0}),
      Ellipse(extent = {{100, 50}, {140, 90}}, startAngle = 30, endAngle = 330, fillColor = {255, 255, 0}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{150, 50}, {190, 90}}, startAngle = 0, endAngle = 200, closure = EllipseClosure.Chord),
      Ellipse(extent = {{150, 60}, {190, 90}}, startAngle = 200, endAngle = 360, closure = EllipseClosure.None, lineColor = {255, 0, 255}),
      Text(extent = {{-190, 0}, {-60, 40}}, textString = "fitted"),
      Text(extent = {{-50, 0}, {20, 40}}, textString = "a long text in a narrow box"),
      Text(extent = {{30, 0}, {100, 40}}, textString = "left", fontSize = 6, horizontalAlignment = TextAlignment.Left, textStyle = {TextStyle.Bold}),
      Text(extent = {{110, 0}, {190, 40}}, textString = "right", fontSize = 6, horizontalAlignment = TextAlignment.Right, textStyle = {TextStyle.Italic, TextStyle.UnderLine}, textColor = {0, 0, 255}),
      Text(extent = {{-40, -10}, {40, 10}}, origin = {-150, -60}, rotation = 45, textString = "turned"),
      Text(extent = {{-100, -90}, {0, -30}}, textString = "two
lines"),
      Text(extent = {{10, -90}, {100, -30}}, textString = "serif", fontName = "serif"),
      Text(extent = {{110, -90}, {190, -30}}, textString = "<b>&amp;", fontName = "monospace"),
      Bitmap(extent = {{-190, -190}, {-100, -110}}, imageSource = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAMElEQVR42mM4wcDw/yoDQ9QJdBKIscpBWVjk4Cw0ORRVKHJoJsDlsLgHKofVrUA5AAAEW/GNCH52AAAAAElFTkSuQmCC"),
      Rectangle(extent = {{-40, -20}, {40, 20}}, origin = {0, -150}, rotation = 30, lineColor = {64, 64, 64}, fillColor = {192, 192, 192}, fillPattern = FillPattern.HorizontalCylinder),
      Ellipse(extent = {{-40, -20}, {40, 20}}, origin = {120, -150}, rotation = -30, lineColor = {0, 24, 48}, fillColor = {0, 127, 255}, fillPattern = FillPattern.Sphere)}));
  end Primitives;

  connector Plug "Physical connector"
    Real v;
    flow Real i;
    annotation(Icon(graphics = {Ellipse(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}),
      Diagram(graphics = {Ellipse(extent = {{-50, -50}, {50, 50}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid), Text(extent = {{-100, 60}, {100, 120}}, textString = "%name", textColor = {0, 0, 255})}));
  end Plug;

  model Element "Asymmetric, so that one sees how it is turned"
    parameter Real k(unit = "m", displayUnit = "mm") = 0.25 "Length";
    Plug a annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Plug b annotation(Placement(transformation(extent = {{90, 50}, {110, 70}})));
    annotation(Icon(graphics = {
      Rectangle(extent = {{-80, -80}, {80, 80}}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Polygon(points = {{-60, -60}, {60, 60}, {60, -60}}, fillColor = {170, 213, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-80, 0}}, color = {0, 0, 255}),
      Line(points = {{80, 60}, {90, 60}}, color = {0, 0, 255}),
      Text(extent = {{-100, 90}, {100, 130}}, textString = "%name", textColor = {0, 0, 255}),
      Text(extent = {{-100, -130}, {100, -90}}, textString = "k=%k")}));
  end Element;

  model Placements "Turned, mirrored and stretched components, with drawn and routed lines"
    Plug p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Element plain annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-60, 60})));
    Element quarter(k = 2) annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, 60}, rotation = 90)));
    Element half annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {60, 60}, rotation = 180)));
    Element mirrored annotation(Placement(transformation(extent = {{10, -10}, {-10, 10}}, origin = {-60, 0})));
    Element upsideDown annotation(Placement(transformation(extent = {{-10, 10}, {10, -10}}, origin = {0, 0})));
    Element stretched annotation(Placement(transformation(extent = {{-20, -10}, {20, 10}}, origin = {60, 0}, rotation = 30)));
    Element absent if false annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-60, -60})));
    Element free "Has no place";
  equation
    connect(p, plain.a) annotation(Line(points = {{-100, 0}, {-90, 0}, {-90, 60}, {-70, 60}}, color = {0, 0, 255}));
    connect(plain.b, quarter.a);
    connect(quarter.b, half.b);
    connect(mirrored.a, upsideDown.a);
    connect(upsideDown.b, stretched.a);
    connect(absent.b, free.a);
    annotation(Diagram(graphics = {Rectangle(extent = {{-100, 90}, {100, -90}}, lineColor = {200, 200, 200}, pattern = LinePattern.Dash), Text(extent = {{-100, 92}, {100, 100}}, textString = "%class")}));
  end Placements;
end Gallery;
