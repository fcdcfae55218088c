/* The line of diodes of lines.mjs by hand: voltages of capacitors and potentials of nodes interleaved, so that the Jacobian is a band. */
#include "ida.h"

#ifndef SIZE
#define SIZE 500
#endif
const char *model = "DiodeLine", *peer = "IDA band";
const int shownCount = 4;
static const double R = 10, S = 5, C = 1e-6, Is = 1e-6, Vt = 0.04, omega = 2 * 3.141592653589793 * 50;

/* y[2 i] is the voltage of capacitor i, y[2 i + 1] the potential of its node. */
static int residual(sunrealtype t, N_Vector y, N_Vector dy, N_Vector r, void *data) {
  const double *x = NV_DATA_S(y), *d = NV_DATA_S(dy);
  double *f = NV_DATA_S(r);
  double in = (5 * sin(omega * t) - x[1]) / R;
  for (int i = 0; i < SIZE; i++) {
    double u = x[2 * i + 1], out = i < SIZE - 1 ? (u - x[2 * i + 3]) / R : 0, charge = (u - x[2 * i]) / S;
    f[2 * i] = charge / C - d[2 * i];
    f[2 * i + 1] = in - out - Is * (exp(u / Vt) - 1) - charge;
    in = out;
  }
  return 0;
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector dy, N_Vector r, SUNMatrix J, void *data, N_Vector u, N_Vector v, N_Vector w) {
  const double *x = NV_DATA_S(y);
  for (int i = 0; i < SIZE; i++) {
    SM_ELEMENT_B(J, 2 * i, 2 * i) = -1 / (S * C) - c;
    SM_ELEMENT_B(J, 2 * i, 2 * i + 1) = 1 / (S * C);
    SM_ELEMENT_B(J, 2 * i + 1, 2 * i) = 1 / S;
    SM_ELEMENT_B(J, 2 * i + 1, 2 * i + 1) = -1 / R - (i < SIZE - 1 ? 1 / R : 0) - Is / Vt * exp(x[2 * i + 1] / Vt) - 1 / S;
    if (i > 0) SM_ELEMENT_B(J, 2 * i + 1, 2 * i - 1) = 1 / R;
    if (i < SIZE - 1) SM_ELEMENT_B(J, 2 * i + 1, 2 * i + 3) = 1 / R;
  }
  return 0;
}

void setup(double tolerance) {
  create(2 * SIZE, residual, tolerance);
  SUNMatrix A = SUNBandMatrix(2 * SIZE, 2, 2, context);
  check(IDASetLinearSolver(ida, SUNLinSol_Band(y, A, context), A));
  check(IDASetJacFn(ida, jacobian));
  N_Vector id = N_VNew_Serial(2 * SIZE, context);
  for (int i = 0; i < SIZE; i++) {
    NV_Ith_S(id, 2 * i) = 1;
    NV_Ith_S(id, 2 * i + 1) = 0;
  }
  check(IDASetId(ida, id));
  check(IDASetSuppressAlg(ida, 1));
}

void simulate(double *shown) {
  smooth(0.02);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
  shown[2] = NV_Ith_S(y, 10);
  shown[3] = NV_Ith_S(y, 2 * SIZE - 2);
}
