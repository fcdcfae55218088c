/* Problems for CVODE: y' = f(t, y). */
#ifndef CVODE_H
#define CVODE_H

#include "run.h"
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static void *cvode;
static N_Vector y, start;

/* `start` has to be filled afterwards. */
static void create(int method, long n, CVRhsFn rhs, double tolerance) {
  y = N_VNew_Serial(n, context);
  start = N_VNew_Serial(n, context);
  N_VConst(0, y);
  N_VConst(0, start);
  cvode = CVodeCreate(method, context);
  check(CVodeInit(cvode, rhs, 0, y));
  check(CVodeSStolerances(cvode, tolerance, tolerance));
  check(CVodeSetMaxNumSteps(cvode, 100000000));
}

static void adams(long n, CVRhsFn rhs, double tolerance) {
  create(CV_ADAMS, n, rhs, tolerance);
  check(CVodeSetNonlinearSolver(cvode, SUNNonlinSol_FixedPoint(y, 0, context)));
}

static void bdfDense(long n, CVRhsFn rhs, CVLsJacFn jacobian, double tolerance) {
  create(CV_BDF, n, rhs, tolerance);
  SUNMatrix A = SUNDenseMatrix(n, n, context);
  check(CVodeSetLinearSolver(cvode, SUNLinSol_Dense(y, A, context), A));
  check(CVodeSetJacFn(cvode, jacobian));
}

static void bdfBand(long n, long upper, long lower, CVRhsFn rhs, CVLsJacFn jacobian, double tolerance) {
  create(CV_BDF, n, rhs, tolerance);
  SUNMatrix A = SUNBandMatrix(n, upper, lower, context);
  check(CVodeSetLinearSolver(cvode, SUNLinSol_Band(y, A, context), A));
  check(CVodeSetJacFn(cvode, jacobian));
}

/* A run without events. */
static void smooth(double stop) {
  double t = 0;
  N_VScale(1, start, y);
  check(CVodeReInit(cvode, 0, y));
  for (int k = 1; k <= INTERVALS; k++) check(CVode(cvode, stop * k / INTERVALS, y, &t, CV_NORMAL));
}

/*
 * A run with events: up to time `until` in the present segment, with the outputs that lie in it. True where a root was found before; `t` is where
 * it stands.
 */
static int follow(double *t, double until, double stop, int *output) {
  check(CVodeSetStopTime(cvode, until));
  while (*t < until) {
    double next = stop * *output / INTERVALS;
    if (next <= *t * (1 + 1e-12)) {
      ++*output;
      continue;
    }
    int flag = CVode(cvode, next < until ? next : until, y, t, CV_NORMAL);
    check(flag);
    if (flag == CV_ROOT_RETURN) return 1;
    if (*t >= next) ++*output;
  }
  return 0;
}

static void restart(double t) {
  changes++;
  check(CVodeReInit(cvode, t, y));
}

#endif
