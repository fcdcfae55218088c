// seed 13, case 7113: unloadable at print flat: A condition must be Boolean, not Clock.
model M
  Real x(start=1,fixed=true);Real u=homotopy(x,Clock(1,10));end M;
