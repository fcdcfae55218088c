/* models/BouncingBall.mo by hand. */
#include "cvode.h"

const char *model = "BouncingBall", *peer = "CVODE Adams, roots";
const int shownCount = 3;
static const double g = 9.81, stop = 2600, restitution = 0.9998;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  NV_Ith_S(dy, 0) = NV_Ith_S(y, 1);
  NV_Ith_S(dy, 1) = -g;
  return 0;
}

static int root(sunrealtype t, N_Vector y, sunrealtype *out, void *data) {
  out[0] = NV_Ith_S(y, 0);
  return 0;
}

void setup(double tolerance) {
  adams(2, rhs, tolerance);
  check(CVodeRootInit(cvode, 1, root));
  int direction = -1;
  check(CVodeSetRootDirection(cvode, &direction));
  NV_Ith_S(start, 0) = 1;
}

void simulate(double *shown) {
  double t = 0;
  int output = 1;
  N_VScale(1, start, y);
  check(CVodeReInit(cvode, 0, y));
  while (follow(&t, stop, stop, &output)) {
    NV_Ith_S(y, 1) *= -restitution;
    restart(t);
  }
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
  shown[2] = changes;
}
