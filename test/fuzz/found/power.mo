// seed 8, case 2091: A logarithm in the derivative of a residual was told without a place.
model M
  Real x(start = 0, fixed = true);
  Real y;
equation
  der(x) = 1;
  x^y = 0;
end M;
