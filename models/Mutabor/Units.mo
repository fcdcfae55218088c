within Mutabor;
package Units "Types of physical quantities, with the units of the SI"
  type Time = Real(final quantity = "Time", final unit = "s");
  type Frequency = Real(final quantity = "Frequency", final unit = "Hz");
  type Angle = Real(final quantity = "Angle", final unit = "rad", displayUnit = "deg");
  type AngularVelocity = Real(final quantity = "AngularVelocity", final unit = "rad/s");
  type AngularAcceleration = Real(final quantity = "AngularAcceleration", final unit = "rad/s2");
  type Torque = Real(final quantity = "Torque", final unit = "N.m");
  type Inertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2", min = 0);
  type RotationalSpringConstant = Real(final quantity = "RotationalSpringConstant", final unit = "N.m/rad");
  type RotationalDampingConstant = Real(final quantity = "RotationalDampingConstant", final unit = "N.m.s/rad");
  type Position = Real(final quantity = "Length", final unit = "m");
  type Length = Real(final quantity = "Length", final unit = "m", min = 0);
  type Area = Real(final quantity = "Area", final unit = "m2", min = 0);
  type Velocity = Real(final quantity = "Velocity", final unit = "m/s");
  type Acceleration = Real(final quantity = "Acceleration", final unit = "m/s2");
  type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0);
  type Force = Real(final quantity = "Force", final unit = "N");
  type TranslationalSpringConstant = Real(final quantity = "TranslationalSpringConstant", final unit = "N/m");
  type TranslationalDampingConstant = Real(final quantity = "TranslationalDampingConstant", final unit = "N.s/m");
  type Power = Real(final quantity = "Power", final unit = "W");
  type Energy = Real(final quantity = "Energy", final unit = "J");
  type ElectricPotential = Real(final quantity = "ElectricPotential", final unit = "V");
  type Voltage = ElectricPotential;
  type Current = Real(final quantity = "ElectricCurrent", final unit = "A");
  type Resistance = Real(final quantity = "Resistance", final unit = "Ohm");
  type Conductance = Real(final quantity = "Conductance", final unit = "S");
  type Capacitance = Real(final quantity = "Capacitance", final unit = "F", min = 0);
  type Inductance = Real(final quantity = "Inductance", final unit = "H");
  type JouleIntegral = Real(final quantity = "JouleIntegral", final unit = "A2.s", min = 0);
  type Temperature = Real(final quantity = "ThermodynamicTemperature", final unit = "K", min = 0, start = 288.15,
    nominal = 300, displayUnit = "degC");
  type HeatFlowRate = Real(final quantity = "Power", final unit = "W");
  type HeatCapacity = Real(final quantity = "HeatCapacity", final unit = "J/K");
  type SpecificHeatCapacity = Real(final quantity = "SpecificHeatCapacity", final unit = "J/(kg.K)");
  type SpecificEnergy = Real(final quantity = "SpecificEnergy", final unit = "J/kg");
  type ThermalConductance = Real(final quantity = "ThermalConductance", final unit = "W/K");
  type Pressure = Real(final quantity = "Pressure", final unit = "Pa", displayUnit = "bar", nominal = 1e5);
  type Density = Real(final quantity = "Density", final unit = "kg/m3", min = 0);
  type MassFlowRate = Real(final quantity = "MassFlowRate", final unit = "kg/s");
  annotation(
    Documentation(info = "<html><p>The part of the SI that this library needs. Quantities and units are those of the
Modelica Standard Library.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 60}, {80, -60}}, textString = "SI")}));
end Units;
