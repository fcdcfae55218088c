/* models/Oscillators.mo by hand. */
#include "cvode.h"

#define N 200
const char *model = "Oscillators", *peer = "CVODE Adams";
const int shownCount = 3;

/* y[i] is a displacement, y[N + i] a velocity. */
static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  double before = x[0];
  double pull = before + 0.5 * before * before * before;
  for (int i = 0; i < N; i++) {
    double stretch = (i < N - 1 ? x[i + 1] : 0) - x[i];
    double next = stretch + 0.5 * stretch * stretch * stretch;
    d[i] = x[N + i];
    d[N + i] = next - pull;
    pull = next;
  }
  return 0;
}

void setup(double tolerance) {
  adams(2 * N, rhs, tolerance);
  for (int i = 0; i < N; i++) NV_Ith_S(start, i) = sin(4 * 3.141592653589793 * (i + 1) / (N + 1.0));
}

void simulate(double *shown) {
  smooth(100);
  shown[0] = NV_Ith_S(y, 9);
  shown[1] = NV_Ith_S(y, 99);
  shown[2] = NV_Ith_S(y, 149);
}
