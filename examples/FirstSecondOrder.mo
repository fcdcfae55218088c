package FirstSecondOrder "Input-output blocks as states: a first order delay becomes a second order one"
  connector RealInput = input Real;
  connector RealOutput = output Real;

  block Constant
    parameter Real k = 1 "Value";
    RealOutput y;
  equation
    y = k;
  end Constant;

  block FirstOrder "T*der(y) + y = u"
    parameter Real T(unit = "s") = 1 "Time constant";
    RealInput u;
    RealOutput y;
  equation
    T*der(y) = u - y;
  end FirstOrder;

  block SecondOrder "der(y, 2) + 2*D*w*der(y) + w^2*y = w^2*u"
    parameter Real w(unit = "rad/s") = 1 "Angular frequency";
    parameter Real D = 1 "Damping";
    RealInput u;
    RealOutput y;
    Real yd(start = 0, fixed = true) "Derivative of y";
  equation
    der(y) = yd;
    der(yd) = w^2*(u - y) - 2*D*w*yd;
  end SecondOrder;

  block Sink "What follows the blocks"
    RealInput u;
  end Sink;

  model System "The second block goes on from the output of the first"
    Constant source(k = 1);
    FirstOrder firstOrder(T = 0.3, y(start = 0, fixed = true)) "Until 0.5 s";
    SecondOrder secondOrder(w = 10, D = 0.4, y(start = sink.u, fixed = true)) "From then on";
    Sink sink;
  equation
    connect(source.y, firstOrder.u);
    connect(source.y, secondOrder.u);
    connect(firstOrder.y, sink.u);
    connect(secondOrder.y, sink.u);
    initialState(firstOrder);
    transition(firstOrder, secondOrder, time > 0.5);
    annotation(experiment(StopTime = 1.5, Tolerance = 1e-8));
  end System;
end FirstSecondOrder;
