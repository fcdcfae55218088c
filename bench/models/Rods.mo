package Rods "One heated rod of n cells, written in three ways"
  connector HeatPort
    Real T;
    flow Real Q_flow;
  end HeatPort;

  model FixedTemperature
    HeatPort port;
  equation
    port.T = 493.15;
  end FixedTemperature;

  partial model Data
    parameter Integer n = 5;
    parameter Real L = 1, A = 4e-4, rho = 7500, lambda = 74, c = 450;
    parameter Real G = lambda*A*n/L "Conductance from cell to cell";
    parameter Real C = c*rho*A*L/n "Heat capacity of a cell";
  end Data;

  model BuiltInRod "Cells in code: examples/typescript/rod.ts"
    HeatPort a, b;
    parameter Real L = 1, A = 4e-4, rho = 7500, lambda = 74, c = 450;
    parameter Real T0[:] = {293.15};
    parameter Integer sizes[:] = {5};
    parameter Real times[:] = fill(0.0, 0);
    Real Ta, Tb, G;
  equation
    a.Q_flow = G*(a.T - Ta);
    b.Q_flow = G*(b.T - Tb);
    annotation(__Mutabor(builtIn = "rod"));
  end BuiltInRod;

  model ArrayRod "Cells as an array"
    extends Data;
    HeatPort a, b;
    Real T[n](each start = 293.15, each fixed = true, each nominal = 300);
  equation
    a.Q_flow = 2*G*(a.T - T[1]);
    b.Q_flow = 2*G*(b.T - T[n]);
    C*der(T[1]) = a.Q_flow - G*(T[1] - T[2]);
    for i in 2:n - 1 loop
      C*der(T[i]) = G*(T[i - 1] - 2*T[i] + T[i + 1]);
    end for;
    C*der(T[n]) = G*(T[n - 1] - T[n]) + b.Q_flow;
  end ArrayRod;

  model Cell
    HeatPort a, b;
    parameter Real G, C;
    Real T(start = 293.15, fixed = true, nominal = 300);
  equation
    a.Q_flow = 2*G*(a.T - T);
    b.Q_flow = 2*G*(b.T - T);
    C*der(T) = a.Q_flow + b.Q_flow;
  end Cell;

  model CellRod "Cells as components"
    extends Data;
    HeatPort a, b;
    Cell cell[n](each G = G, each C = C);
  equation
    connect(a, cell[1].a);
    for i in 1:n - 1 loop
      connect(cell[i].b, cell[i + 1].a);
    end for;
    connect(cell[n].b, b);
  end CellRod;

  model BuiltIn
    BuiltInRod rod;
    FixedTemperature fixed;
  equation
    connect(fixed.port, rod.a);
  end BuiltIn;

  model Array
    ArrayRod rod;
    FixedTemperature fixed;
  equation
    connect(fixed.port, rod.a);
  end Array;

  model Cells
    CellRod rod;
    FixedTemperature fixed;
  equation
    connect(fixed.port, rod.a);
  end Cells;
end Rods;
