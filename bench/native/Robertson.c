/* models/Robertson.mo by hand, as an ordinary differential equation. */
#include "cvode.h"

const char *model = "Robertson", *peer = "CVODE BDF dense";
const int shownCount = 3;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
  d[2] = 3e7 * x[1] * x[1];
  d[1] = -d[0] - d[2];
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  const double *x = NV_DATA_S(y);
  SM_ELEMENT_D(J, 0, 0) = -0.04;
  SM_ELEMENT_D(J, 0, 1) = 1e4 * x[2];
  SM_ELEMENT_D(J, 0, 2) = 1e4 * x[1];
  SM_ELEMENT_D(J, 1, 0) = 0.04;
  SM_ELEMENT_D(J, 1, 1) = -1e4 * x[2] - 6e7 * x[1];
  SM_ELEMENT_D(J, 1, 2) = -1e4 * x[1];
  SM_ELEMENT_D(J, 2, 0) = 0;
  SM_ELEMENT_D(J, 2, 1) = 6e7 * x[1];
  SM_ELEMENT_D(J, 2, 2) = 0;
  return 0;
}

void setup(double tolerance) {
  bdfDense(3, rhs, jacobian, tolerance);
  NV_Ith_S(start, 0) = 1;
  N_Vector absolute = N_VNew_Serial(3, context);
  N_VConst(tolerance, absolute);
  NV_Ith_S(absolute, 1) = 1e-4 * tolerance;
  check(CVodeSVtolerances(cvode, tolerance, absolute));
}

void simulate(double *shown) {
  smooth(4e4);
  for (int k = 0; k < 3; k++) shown[k] = NV_Ith_S(y, k);
}
