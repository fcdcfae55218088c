/* models/CartesianPendulum.mo by hand: the force of the rod eliminated, the constraint projected onto after each step. */
#include "cvode.h"
#include <cvode/cvode_proj.h>

const char *model = "CartesianPendulum", *peer = "CVODE BDF dense, projection";
const int shownCount = 2;
static const double g = 9.81;

/* x, y and their velocities; the rod has length 1. */
static int rhs(sunrealtype t, N_Vector state, N_Vector slope, void *data) {
  const double *s = NV_DATA_S(state);
  double *d = NV_DATA_S(slope);
  double pull = (s[2] * s[2] + s[3] * s[3] - g * s[1]) / (s[0] * s[0] + s[1] * s[1]);
  d[0] = s[2];
  d[1] = s[3];
  d[2] = -pull * s[0];
  d[3] = -pull * s[1] - g;
  return 0;
}

static int jacobian(sunrealtype t, N_Vector state, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  const double *s = NV_DATA_S(state);
  double r = s[0] * s[0] + s[1] * s[1];
  double pull = (s[2] * s[2] + s[3] * s[3] - g * s[1]) / r;
  double by[4] = {-2 * pull * s[0] / r, (-g - 2 * pull * s[1]) / r, 2 * s[2] / r, 2 * s[3] / r};
  for (int j = 0; j < 4; j++) {
    SM_ELEMENT_D(J, 0, j) = j == 2;
    SM_ELEMENT_D(J, 1, j) = j == 3;
    SM_ELEMENT_D(J, 2, j) = -by[j] * s[0] - (j == 0 ? pull : 0);
    SM_ELEMENT_D(J, 3, j) = -by[j] * s[1] - (j == 1 ? pull : 0);
  }
  return 0;
}

static int project(sunrealtype t, N_Vector now, N_Vector correction, sunrealtype eps, N_Vector error, void *data) {
  const double *s = NV_DATA_S(now);
  double *c = NV_DATA_S(correction);
  double r = sqrt(s[0] * s[0] + s[1] * s[1]);
  double x = s[0] / r, z = s[1] / r;
  double radial = x * s[2] + z * s[3];
  c[0] = x - s[0];
  c[1] = z - s[1];
  c[2] = -radial * x;
  c[3] = -radial * z;
  if (error) {
    double *e = NV_DATA_S(error);
    double along = x * e[0] + z * e[1], fast = x * e[2] + z * e[3];
    e[0] -= along * x;
    e[1] -= along * z;
    e[2] -= fast * x;
    e[3] -= fast * z;
  }
  return 0;
}

void setup(double tolerance) {
  bdfDense(4, rhs, jacobian, tolerance);
  check(CVodeSetProjFn(cvode, project));
  NV_Ith_S(start, 0) = 1;
}

void simulate(double *shown) {
  smooth(20);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, 1);
}
