/* models/VanDerPol.mo by hand. */
#include "cvode.h"

const char *model = "VanDerPol", *peer = "CVODE BDF dense";
const int shownCount = 2;
static const double mu = 1000;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = x[1];
  d[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  const double *x = NV_DATA_S(y);
  SM_ELEMENT_D(J, 0, 0) = 0;
  SM_ELEMENT_D(J, 0, 1) = 1;
  SM_ELEMENT_D(J, 1, 0) = -2 * mu * x[0] * x[1] - 1;
  SM_ELEMENT_D(J, 1, 1) = mu * (1 - x[0] * x[0]);
  return 0;
}

void setup(double tolerance) {
  bdfDense(2, rhs, jacobian, tolerance);
  NV_Ith_S(start, 0) = 2;
}

void simulate(double *shown) {
  smooth(2000);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
}
