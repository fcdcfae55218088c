package RefinedRod "Heat conduction in a rod whose resolution changes while it runs"
  block Rod "A rod in cells"
    parameter Integer n = 4 "Number of cells";
    parameter Real C(unit = "J/K") = 400 "Heat capacity of the rod";
    parameter Real G(unit = "W/K") = 2 "Conductance of the rod from end to end";
    outer Real TLeft;
    outer Real TRight;
    Real T[n](each fixed = true, each unit = "K") "Temperatures of the cells";
    Real Q[n + 1](each unit = "W") "Heat flows between the cells";
  equation
    Q[1] = 2*n*G*(TLeft - T[1]);
    for i in 2:n loop
      Q[i] = n*G*(T[i - 1] - T[i]);
    end for;
    Q[n + 1] = 2*n*G*(T[n] - TRight);
    for i in 1:n loop
      C/n*der(T[i]) = Q[i] - Q[i + 1];
    end for;
  end Rod;

  model Heated "4 cells until the left end becomes hot, 8 while much happens, then 4 again"
    inner Real TLeft(unit = "K") = if time < 10 then 293 else 373 "Temperature of the left end";
    inner Real TRight(unit = "K") = 293 "Temperature of the right end";
    Rod coarse(n = 4, T(start = T));
    Rod fine(n = 8, T(start = {T[div(i + 1, 2)] for i in 1:8}));
    Real T[4](each start = 293, each fixed = true, each unit = "K") "Temperatures of the quarters of the rod, at any resolution";
    Real energy(unit = "J") = 100*sum(T) "Heat in the rod: does not jump";
  equation
    T = if activeState(coarse) then coarse.T else {(fine.T[2*i - 1] + fine.T[2*i])/2 for i in 1:4};
    initialState(coarse);
    transition(coarse, fine, time >= 10 and time < 50);
    transition(fine, coarse, time >= 50);
    annotation(experiment(StopTime = 150, Tolerance = 1e-8));
  end Heated;
end RefinedRod;
