within Mutabor.Blocks;
function tableCoefficients "Coefficients of the polynomials between the points of a table"
  input Real table[:, 2] "Points: abscissa, value";
  input Smoothness smoothness;
  output Real c[size(table, 1), 4] "By interval from its first point on: value, slope, and factors of the square and the cube; after the last one, value and slope there";
protected
  Integer n = size(table, 1);
  Real d[n] "Slopes of the lines between the points";
  Real h[n] "Lengths of the intervals";
  Real s[n] "Slopes at the points";
  Real m[5] "Slopes around a point";
  Real w1;
  Real w2;
algorithm
  for i in 1:n - 1 loop
    h[i] := table[i + 1, 1] - table[i, 1];
    d[i] := if h[i] > 0 then (table[i + 1, 2] - table[i, 2])/h[i] else 0;
  end for;
  h[n] := 0;
  d[n] := if n > 1 then d[max(n - 1, 1)] else 0;
  s := d;
  if smoothness == Smoothness.monotone then
    for i in 2:n - 1 loop
      if d[i - 1]*d[i] > 0 then
        w1 := 2*h[i] + h[i - 1];
        w2 := h[i] + 2*h[i - 1];
        s[i] := (w1 + w2)/(w1/d[i - 1] + w2/d[i]);
      else
        s[i] := 0;
      end if;
    end for;
  elseif smoothness == Smoothness.akima and n > 2 then
    for i in 1:n loop
      for k in 1:4 loop
        // Slopes beyond the ends go on in a straight line.
        m[k] := if i + k - 3 < 1 then d[1] + (i + k - 4)*(d[min(2, n)] - d[1])
          elseif i + k - 3 > n - 1 then d[max(n - 1, 1)] + (i + k - 2 - n)*(d[max(n - 1, 1)] - d[max(n - 2, 1)])
          else d[i + k - 3];
      end for;
      w1 := abs(m[4] - m[3]);
      w2 := abs(m[2] - m[1]);
      s[i] := if w1 + w2 > 0 then (w1*m[2] + w2*m[3])/(w1 + w2) else (m[2] + m[3])/2;
    end for;
  end if;
  for i in 1:n - 1 loop
    c[i, 1] := table[i, 2];
    if smoothness == Smoothness.steps then
      c[i, 2:4] := zeros(3);
    elseif smoothness == Smoothness.linear or h[i] <= 0 then
      c[i, 2:4] := {d[i], 0, 0};
    else
      c[i, 2] := s[i];
      c[i, 3] := (3*d[i] - 2*s[i] - s[i + 1])/h[i];
      c[i, 4] := (s[i] + s[i + 1] - 2*d[i])/h[i]^2;
    end if;
  end for;
  c[n, :] := {table[n, 2], if smoothness == Smoothness.steps then 0 else s[n], 0, 0};
  annotation(
    Documentation(info = "<html><p>Between point i and the next one, at the distance x from it, the value is
<code>c[i, 1] + x*(c[i, 2] + x*(c[i, 3] + x*c[i, 4]))</code>.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "f")}));
end tableCoefficients;
