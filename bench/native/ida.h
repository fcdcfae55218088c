/* Problems for IDA: F(t, y, y') = 0. */
#ifndef IDA_H
#define IDA_H

#include "run.h"
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

static void *ida;
static N_Vector y, start, d, startSlope;

/* `start` and `startSlope` have to be filled afterwards, consistently. */
static void create(long n, IDAResFn residual, double tolerance) {
  y = N_VNew_Serial(n, context);
  start = N_VNew_Serial(n, context);
  d = N_VNew_Serial(n, context);
  startSlope = N_VNew_Serial(n, context);
  N_VConst(0, y);
  N_VConst(0, start);
  N_VConst(0, d);
  N_VConst(0, startSlope);
  ida = IDACreate(context);
  check(IDAInit(ida, residual, 0, y, d));
  check(IDASStolerances(ida, tolerance, tolerance));
  check(IDASetMaxNumSteps(ida, 100000000));
}

static void smooth(double stop) {
  double t = 0;
  N_VScale(1, start, y);
  N_VScale(1, startSlope, d);
  check(IDAReInit(ida, 0, y, d));
  for (int k = 1; k <= INTERVALS; k++) check(IDASolve(ida, stop * k / INTERVALS, &t, y, d, IDA_NORMAL));
}

#endif
