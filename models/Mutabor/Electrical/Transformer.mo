within Mutabor.Electrical;
model Transformer "Ideal transformer"
  extends FourPin;
  parameter Real n(unit = "1") = 1 "Ratio of turns, first to second side";
equation
  v1 = n*v2;
  i2 = -n*i1;
  annotation(
    Documentation(info = "<html><p><code>v1 = n*v2</code>, <code>i2 = -n*i1</code>. It stores and loses nothing and transforms direct current as well.
Each side needs a connection to ground.</p></html>"),
    Icon(graphics = {
      Ellipse(extent = {{-60, 40}, {20, -40}}, lineColor = {0, 0, 255}),
      Ellipse(extent = {{-20, 40}, {60, -40}}, lineColor = {0, 0, 255}),
      Text(extent = {{-150, -110}, {150, -150}}, textString = "n=%n")}));
end Transformer;
