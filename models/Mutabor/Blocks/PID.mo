within Mutabor.Blocks;
block PID "Controller with limits, whose integral does not run away"
  RealInput u_s "Wanted value" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  RealInput u_m "Measured value" annotation(Placement(transformation(extent = {{-20, -140}, {20, -100}}, rotation = 90)));
  RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  parameter Real k = 1 "Factor";
  parameter Units.Time Ti(min = 0) = 0.5 "Integral action time; 0: no integral";
  parameter Units.Time Td(min = 0) = 0 "Derivative action time; 0: no derivative";
  parameter Real Nd(unit = "1", min = 0) = 10 "Derivatives are filtered with the time constant Td/Nd";
  parameter Real wp(unit = "1") = 1 "Share of the wanted value in the proportional part";
  parameter Real wd(unit = "1") = 0 "Share of the wanted value in the derivative part";
  parameter Real yMax = 1e300 "Upper limit of the output";
  parameter Real yMin = -yMax "Lower limit of the output";
  parameter Real Ni(unit = "1", min = 0) = 0.9 "The integral follows a limited output in Ni times Ti";
  parameter Real x_start = 0 "Value of the integral at the beginning";
  Real x(start = x_start, fixed = true) "Integral of the difference, divided by Ti";
  Real z(start = 0) "Filtered signal of the derivative part";
  Real v "Output without limits";
protected
  Real e "Difference";
  Real ed "Difference of the derivative part";
initial equation
  z = ed;
equation
  assert(yMax > yMin, "The upper limit must lie above the lower one");
  e = u_s - u_m;
  ed = wd*u_s - u_m;
  der(x) = if Ti > 0 then (e + (y - v)/(k*Ni))/Ti else 0;
  der(z) = if Td > 0 then (ed - z)*Nd/Td else 0;
  v = k*(wp*u_s - u_m + x + (if Td > 0 then Nd*(ed - z) else 0));
  y = if v > yMax then yMax elseif v < yMin then yMin else v;
  annotation(
    Documentation(info = "<html><p>Proportional, integral and derivative part: <code>v = k*(wp*u_s - u_m + integral of (u_s - u_m)/Ti + Td*der(wd*u_s - u_m))</code>. The output is <code>v</code> between its limits; while it is limited, the integral is led back (anti-windup).</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-100, 100}, {100, -100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Text(extent = {{-80, 40}, {80, -40}}, textString = "PID"),
      Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
end PID;
