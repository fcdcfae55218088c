// seed 7, case 2536: A number without bounds was told as a subscript outside its array, without a place.
model Pipe
  Real m(start = 1);
equation
  m^21e400 = 0;
end Pipe;
