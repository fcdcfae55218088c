/* models/VanDerPol.mo by hand: BDF, dense solver, exact Jacobian. */
#include "run.h"
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double mu = 1000;

static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = x[1];
  d[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0];
  return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  const double *x = NV_DATA_S(y);
  SM_ELEMENT_D(J, 0, 0) = 0;
  SM_ELEMENT_D(J, 0, 1) = 1;
  SM_ELEMENT_D(J, 1, 0) = -2 * mu * x[0] * x[1] - 1;
  SM_ELEMENT_D(J, 1, 1) = mu * (1 - x[0] * x[0]);
  return 0;
}

int main(void) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(2, context);
  NV_Ith_S(y, 0) = 2;
  NV_Ith_S(y, 1) = 0;
  void *cvode = CVodeCreate(CV_BDF, context);
  check(CVodeInit(cvode, rhs, 0, y));
  check(CVodeSStolerances(cvode, 1e-6, 1e-6));
  check(CVodeSetMaxNumSteps(cvode, 1000000));
  SUNMatrix A = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  check(CVodeSetLinearSolver(cvode, solver, A));
  check(CVodeSetJacFn(cvode, jacobian));
  const int shown[] = {0, 1};
  run("VanDerPol", "CVODE BDF dense", cvode, y, 2000, shown, 2);
  return 0;
}
