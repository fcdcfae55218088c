/* models/Ladder.mo by hand: states interleaved so that the Jacobian is a band; BDF, band solver, exact Jacobian. */
#include "run.h"
#include <math.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunmatrix/sunmatrix_band.h>

#define N 500
static const double L = 1e-6, C = 1e-9, R = 0.05, Rsource = 30, Rload = 50, omega = 2 * 3.141592653589793 * 1e6;

/* y[2 j] is the current, y[2 j + 1] the voltage of section j. */
static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = (sin(omega * t) - x[1] - (R + Rsource) * x[0]) / L;
  for (int j = 1; j < N; j++) d[2 * j] = (x[2 * j - 1] - x[2 * j + 1] - R * x[2 * j]) / L;
  for (int j = 0; j < N - 1; j++) d[2 * j + 1] = (x[2 * j] - x[2 * j + 2]) / C;
  d[2 * N - 1] = (x[2 * N - 2] - x[2 * N - 1] / Rload) / C;
  return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  for (int j = 0; j < N; j++) {
    if (j > 0) SM_ELEMENT_B(J, 2 * j, 2 * j - 1) = 1 / L;
    SM_ELEMENT_B(J, 2 * j, 2 * j) = j == 0 ? -(R + Rsource) / L : -R / L;
    SM_ELEMENT_B(J, 2 * j, 2 * j + 1) = -1 / L;
    SM_ELEMENT_B(J, 2 * j + 1, 2 * j) = 1 / C;
    if (j < N - 1) SM_ELEMENT_B(J, 2 * j + 1, 2 * j + 2) = -1 / C;
    else SM_ELEMENT_B(J, 2 * j + 1, 2 * j + 1) = -1 / (Rload * C);
  }
  return 0;
}

int main(void) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(2 * N, context);
  N_VConst(0, y);
  void *cvode = CVodeCreate(CV_BDF, context);
  check(CVodeInit(cvode, rhs, 0, y));
  check(CVodeSStolerances(cvode, 1e-6, 1e-6));
  check(CVodeSetMaxNumSteps(cvode, 1000000));
  SUNMatrix A = SUNBandMatrix(2 * N, 1, 1, context);
  check(CVodeSetLinearSolver(cvode, SUNLinSol_Band(y, A, context), A));
  check(CVodeSetJacFn(cvode, jacobian));
  const int shown[] = {0, 1, 2 * N - 2, 2 * N - 1};
  run("Ladder", "CVODE BDF band", cvode, y, 5e-5, shown, 4);
  return 0;
}
