/* models/LotkaVolterra.mo by hand: Adams with fixed-point iteration. */
#include "run.h"
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int rhs(realtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = x[0] * (1.1 - 0.4 * x[1]);
  d[1] = x[1] * (0.1 * x[0] - 0.4);
  return 0;
}

int main(void) {
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(2, context);
  NV_Ith_S(y, 0) = 10;
  NV_Ith_S(y, 1) = 5;
  void *cvode = CVodeCreate(CV_ADAMS, context);
  check(CVodeInit(cvode, rhs, 0, y));
  check(CVodeSStolerances(cvode, 1e-6, 1e-6));
  check(CVodeSetMaxNumSteps(cvode, 1000000));
  check(CVodeSetNonlinearSolver(cvode, SUNNonlinSol_FixedPoint(y, 0, context)));
  const int shown[] = {0, 1};
  run("LotkaVolterra", "CVODE Adams", cvode, y, 1000, shown, 2);
  return 0;
}
