within Mutabor.Electrical;
model ConstantVoltage "Source of constant voltage"
  extends VoltageSource;
  parameter Units.Voltage V = 1 "Voltage";
equation
  v = V;
  annotation(
    Documentation(info = "<html><p><code>v = V</code>, whatever the current.</p></html>"),
    Icon(graphics = {Text(extent = {{-150, -60}, {150, -100}}, textString = "V=%V")}));
end ConstantVoltage;
