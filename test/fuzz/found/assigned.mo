// seed 51: a parameter that decides on sizes was assigned inside when
model Assigned parameter Integer n=20;Real T[n](each start=293.15);equation
  for i in 1:n loop der(T[i])=0;end for;when time>1e9 then n=(n);end when;end Assigned;
