/* models/RobertsonDae.mo by hand: two differential equations and a balance. */
#include "ida.h"

const char *model = "RobertsonDae", *peer = "IDA dense";
const int shownCount = 3;

static int residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector r, void *data) {
  const double *x = NV_DATA_S(y), *d = NV_DATA_S(dy);
  double *f = NV_DATA_S(r);
  f[0] = -0.04 * x[0] + 1e4 * x[1] * x[2] - d[0];
  f[1] = 0.04 * x[0] - 1e4 * x[1] * x[2] - 3e7 * x[1] * x[1] - d[1];
  f[2] = x[0] + x[1] + x[2] - 1;
  return 0;
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector dy, N_Vector r, SUNMatrix J, void *data, N_Vector u, N_Vector v, N_Vector w) {
  const double *x = NV_DATA_S(y);
  SM_ELEMENT_D(J, 0, 0) = -0.04 - c;
  SM_ELEMENT_D(J, 0, 1) = 1e4 * x[2];
  SM_ELEMENT_D(J, 0, 2) = 1e4 * x[1];
  SM_ELEMENT_D(J, 1, 0) = 0.04;
  SM_ELEMENT_D(J, 1, 1) = -1e4 * x[2] - 6e7 * x[1] - c;
  SM_ELEMENT_D(J, 1, 2) = -1e4 * x[1];
  for (int k = 0; k < 3; k++) SM_ELEMENT_D(J, 2, k) = 1;
  return 0;
}

void setup(double tolerance) {
  create(3, residual, tolerance);
  SUNMatrix A = SUNDenseMatrix(3, 3, context);
  check(IDASetLinearSolver(ida, SUNLinSol_Dense(y, A, context), A));
  check(IDASetJacFn(ida, jacobian));
  NV_Ith_S(start, 0) = 1;
  NV_Ith_S(startSlope, 0) = -0.04;
  NV_Ith_S(startSlope, 1) = 0.04;
  N_Vector absolute = N_VNew_Serial(3, context);
  N_VConst(tolerance, absolute);
  NV_Ith_S(absolute, 1) = 1e-4 * tolerance;
  check(IDASVtolerances(ida, tolerance, absolute));
}

void simulate(double *shown) {
  smooth(4e4);
  for (int k = 0; k < 3; k++) shown[k] = NV_Ith_S(y, k);
}
