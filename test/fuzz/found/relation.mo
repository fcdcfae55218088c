block Pulse "Its value is that of a relation that contradicts it: the message has a place"
  Real y;
equation
  y = if time < 0 or y >= 0.5 then 0 else 1;
end Pulse;
