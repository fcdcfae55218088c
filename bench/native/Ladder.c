/* models/Ladder.mo by hand: states interleaved so that the Jacobian is a band. */
#include "cvode.h"

#define N 500
const char *model = "Ladder", *peer = "CVODE BDF band";
const int shownCount = 4;
static const double L = 1e-6, C = 1e-9, R = 0.05, Rsource = 30, Rload = 50, omega = 2 * 3.141592653589793 * 1e6;

/* y[2 j] is the current, y[2 j + 1] the voltage of section j. */
static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = (sin(omega * t) - x[1] - (R + Rsource) * x[0]) / L;
  for (int j = 1; j < N; j++) d[2 * j] = (x[2 * j - 1] - x[2 * j + 1] - R * x[2 * j]) / L;
  for (int j = 0; j < N - 1; j++) d[2 * j + 1] = (x[2 * j] - x[2 * j + 2]) / C;
  d[2 * N - 1] = (x[2 * N - 2] - x[2 * N - 1] / Rload) / C;
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
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

void setup(double tolerance) { bdfBand(2 * N, 1, 1, rhs, jacobian, tolerance); }

void simulate(double *shown) {
  smooth(5e-5);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
  shown[2] = NV_Ith_S(y, 2 * N - 2);
  shown[3] = NV_Ith_S(y, 2 * N - 1);
}
