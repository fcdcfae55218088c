within Mutabor.Electrical;
model ConstantCurrent "Source of constant current"
  extends CurrentSource;
  parameter Units.Current I = 1 "Current from p to n";
equation
  i = I;
  annotation(
    Documentation(info = "<html><p><code>i = I</code>, whatever the voltage.</p></html>"),
    Icon(graphics = {Text(extent = {{-150, -60}, {150, -100}}, textString = "I=%I")}));
end ConstantCurrent;
