/* models/DoublePendulum.mo by hand. */
#include "cvode.h"

const char *model = "DoublePendulum", *peer = "CVODE Adams";
const int shownCount = 4;
static const double g = 9.81;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  double s = sin(x[0] - x[1]), c = cos(x[0] - x[1]);
  double r1 = -x[3] * x[3] * s - 2 * g * sin(x[0]), r2 = x[2] * x[2] * s - g * sin(x[1]);
  double det = 2 - c * c;
  d[0] = x[2];
  d[1] = x[3];
  d[2] = (r1 - c * r2) / det;
  d[3] = (2 * r2 - c * r1) / det;
  return 0;
}

void setup(double tolerance) {
  adams(4, rhs, tolerance);
  NV_Ith_S(start, 0) = 1;
  NV_Ith_S(start, 1) = 1.5;
}

void simulate(double *shown) {
  smooth(20);
  for (int k = 0; k < 4; k++) shown[k] = NV_Ith_S(y, k);
}
