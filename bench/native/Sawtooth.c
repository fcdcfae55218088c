/* models/Sawtooth.mo by hand. */
#include "cvode.h"

const char *model = "Sawtooth", *peer = "CVODE Adams, roots";
const int shownCount = 2;
static const double stop = 6745;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  NV_Ith_S(dy, 0) = 1 + 0.3 * cos(t);
  return 0;
}

static int root(sunrealtype t, N_Vector y, sunrealtype *out, void *data) {
  out[0] = NV_Ith_S(y, 0) - 1;
  return 0;
}

void setup(double tolerance) {
  adams(1, rhs, tolerance);
  check(CVodeRootInit(cvode, 1, root));
}

void simulate(double *shown) {
  double t = 0;
  int output = 1;
  N_VScale(1, start, y);
  check(CVodeReInit(cvode, 0, y));
  while (follow(&t, stop, stop, &output)) {
    NV_Ith_S(y, 0) = 0;
    restart(t);
  }
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = changes;
}
