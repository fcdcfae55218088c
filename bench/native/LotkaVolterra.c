/* models/LotkaVolterra.mo by hand. */
#include "cvode.h"

const char *model = "LotkaVolterra", *peer = "CVODE Adams";
const int shownCount = 2;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = x[0] * (1.1 - 0.4 * x[1]);
  d[1] = x[1] * (0.1 * x[0] - 0.4);
  return 0;
}

void setup(double tolerance) {
  adams(2, rhs, tolerance);
  NV_Ith_S(start, 0) = 10;
  NV_Ith_S(start, 1) = 5;
}

void simulate(double *shown) {
  smooth(1000);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
}
