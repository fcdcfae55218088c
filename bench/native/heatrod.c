/* models/HeatRod.mo by hand: BDF, band solver, exact Jacobian. */
#include "run.h"
#include <math.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunmatrix/sunmatrix_band.h>

#define N 1000
static const double k = (double)N * N;

static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
  const double *T = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = k * (1 + 0.5 * sin(5 * t) - 2 * T[0] + T[1]);
  for (int i = 1; i < N - 1; i++) d[i] = k * (T[i - 1] - 2 * T[i] + T[i + 1]);
  d[N - 1] = k * (T[N - 2] - T[N - 1]);
  return 0;
}

static int jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  for (int j = 0; j < N; j++) {
    if (j > 0) SM_ELEMENT_B(J, j - 1, j) = k;
    SM_ELEMENT_B(J, j, j) = j == N - 1 ? -k : -2 * k;
    if (j < N - 1) SM_ELEMENT_B(J, j + 1, j) = k;
  }
  return 0;
}

int main(void) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(N, context);
  N_VConst(0, y);
  void *cvode = CVodeCreate(CV_BDF, context);
  check(CVodeInit(cvode, rhs, 0, y));
  check(CVodeSStolerances(cvode, 1e-6, 1e-6));
  check(CVodeSetMaxNumSteps(cvode, 1000000));
  SUNMatrix A = SUNBandMatrix(N, 1, 1, context);
  check(CVodeSetLinearSolver(cvode, SUNLinSol_Band(y, A, context), A));
  check(CVodeSetJacFn(cvode, jacobian));
  const int shown[] = {0, N / 2 - 1, N - 1};
  run("HeatRod", "CVODE BDF band", cvode, y, 2, shown, 3);
  return 0;
}
