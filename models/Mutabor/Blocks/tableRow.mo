within Mutabor.Blocks;
function tableRow "The last row of a table whose abscissa is not beyond a value; at least the first one"
  input Real x[:] "Abscissas, increasing";
  input Real u;
  output Integer i;
protected
  Integer last;
  Integer middle;
algorithm
  i := 1;
  last := size(x, 1) + 1;
  while last - i > 1 loop
    middle := div(i + last, 2);
    if x[middle] <= u then
      i := middle;
    else
      last := middle;
    end if;
  end while;
  annotation(
    Documentation(info = "<html><p>Found by bisection.</p></html>"),
    Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "f")}));
end tableRow;
