/* models/Buck.mo by hand: the switch closed, the diode conducting, or neither. */
#include "cvode.h"

const char *model = "Buck", *peer = "CVODE BDF dense, roots";
const int shownCount = 3;
static const double V = 24, L = 1e-3, C = 1e-4, R = 10, period = 1e-4, on = 5e-5, stop = 0.49997;
static enum { closed, freewheel, blocked } now;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = now == blocked ? 0 : ((now == closed ? V : 0) - x[1]) / L;
  d[1] = (x[0] - x[1] / R) / C;
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  SM_ELEMENT_D(J, 0, 0) = 0;
  SM_ELEMENT_D(J, 0, 1) = now == blocked ? 0 : -1 / L;
  SM_ELEMENT_D(J, 1, 0) = 1 / C;
  SM_ELEMENT_D(J, 1, 1) = -1 / (R * C);
  return 0;
}

static int root(sunrealtype t, N_Vector y, sunrealtype *out, void *data) {
  out[0] = now == freewheel ? NV_Ith_S(y, 0) : 1;
  return 0;
}

void setup(double tolerance) {
  bdfDense(2, rhs, jacobian, tolerance);
  check(CVodeRootInit(cvode, 1, root));
}

void simulate(double *shown) {
  double t = 0;
  int output = 1;
  now = closed;
  N_VScale(1, start, y);
  check(CVodeReInit(cvode, 0, y));
  for (int k = 0;;) {
    double until = now == closed ? k * period + on : (k + 1) * period;
    if (follow(&t, until < stop ? until : stop, stop, &output)) {
      now = blocked;
      NV_Ith_S(y, 0) = 0;
    } else {
      if (t >= stop) break;
      if (now != closed) k++;
      now = now == closed ? freewheel : closed;
    }
    restart(t);
  }
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
  shown[2] = changes;
}
