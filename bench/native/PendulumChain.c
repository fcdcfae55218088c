/* models/PendulumChain.mo by hand, in Cartesian coordinates: the forces of the rods from a system of three diagonals. */
#include "cvode.h"

#define N 8
const char *model = "PendulumChain", *peer = "CVODE Adams";
const int shownCount = 4;
static const double g = 9.81;

/* x of all points, y of all points, and their velocities; all masses and lengths are 1. */
static int rhs(sunrealtype t, N_Vector state, N_Vector slope, void *data) {
  const double *x = NV_DATA_S(state), *z = x + N, *vx = z + N, *vz = vx + N;
  double *d = NV_DATA_S(slope);
  double dx[N], dz[N], diagonal[N], upper[N], force[N];
  for (int i = 0; i < N; i++) {
    dx[i] = x[i] - (i ? x[i - 1] : 0);
    dz[i] = z[i] - (i ? z[i - 1] : 0);
    double wx = vx[i] - (i ? vx[i - 1] : 0), wz = vz[i] - (i ? vz[i - 1] : 0);
    diagonal[i] = (i ? 2 : 1) * (dx[i] * dx[i] + dz[i] * dz[i]);
    force[i] = wx * wx + wz * wz - (i ? 0 : g * dz[0]);
    if (i) upper[i - 1] = -(dx[i] * dx[i - 1] + dz[i] * dz[i - 1]);
  }
  for (int i = 1; i < N; i++) {
    double factor = upper[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    force[i] -= factor * force[i - 1];
  }
  force[N - 1] /= diagonal[N - 1];
  for (int i = N - 2; i >= 0; i--) force[i] = (force[i] - upper[i] * force[i + 1]) / diagonal[i];
  for (int i = 0; i < N; i++) {
    d[i] = vx[i];
    d[N + i] = vz[i];
    d[2 * N + i] = -force[i] * dx[i] + (i < N - 1 ? force[i + 1] * dx[i + 1] : 0);
    d[3 * N + i] = -force[i] * dz[i] + (i < N - 1 ? force[i + 1] * dz[i + 1] : 0) - g;
  }
  return 0;
}

void setup(double tolerance) {
  adams(4 * N, rhs, tolerance);
  for (int i = 0; i < N; i++) {
    NV_Ith_S(start, i) = (i + 1) * sin(0.5);
    NV_Ith_S(start, N + i) = -(i + 1) * cos(0.5);
  }
}

void simulate(double *shown) {
  smooth(10);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, N);
  shown[2] = NV_Ith_S(y, N - 1);
  shown[3] = NV_Ith_S(y, 2 * N - 1);
}
