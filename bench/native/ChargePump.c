/* models/ChargePump.mo by hand: one or two voltages, as the switches stand. */
#include "cvode.h"

const char *model = "ChargePump", *peer = "CVODE BDF dense";
const int shownCount = 2;
static const double V = 5, R = 20, load = 1e3, C1 = 1e-6, C2 = 1e-5, half = 5e-5, stop = 0.48997;
static int isJoined;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *u = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  if (isJoined) {
    d[0] = d[1] = -u[1] / load / (C1 + C2);
  } else {
    d[0] = (V - u[0]) / (R * C1);
    d[1] = -u[1] / (load * C2);
  }
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  SM_ELEMENT_D(J, 1, 0) = 0;
  SM_ELEMENT_D(J, 0, 0) = isJoined ? 0 : -1 / (R * C1);
  SM_ELEMENT_D(J, 0, 1) = isJoined ? -1 / load / (C1 + C2) : 0;
  SM_ELEMENT_D(J, 1, 1) = isJoined ? -1 / load / (C1 + C2) : -1 / (load * C2);
  return 0;
}

void setup(double tolerance) { bdfDense(2, rhs, jacobian, tolerance); }

void simulate(double *shown) {
  double t = 0;
  int output = 1;
  isJoined = 0;
  N_VScale(1, start, y);
  check(CVodeReInit(cvode, 0, y));
  for (int k = 1; t < stop; k++) {
    double until = k * half;
    follow(&t, until < stop ? until : stop, stop, &output);
    if (t >= stop) break;
    isJoined = !isJoined;
    double *u = NV_DATA_S(y);
    if (isJoined) u[0] = u[1] = (C1 * u[0] + C2 * u[1]) / (C1 + C2);
    restart(t);
  }
  shown[0] = NV_Ith_S(y, 1);
  shown[1] = changes;
}
