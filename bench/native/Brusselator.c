/* models/Brusselator.mo by hand: the two substances interleaved so that the Jacobian is a band. */
#include "cvode.h"

#define N 500
const char *model = "Brusselator", *peer = "CVODE BDF band";
const int shownCount = 4;
static const double c = 0.02 * (N + 1.0) * (N + 1.0);

/* y[2 j] is u, y[2 j + 1] is v of point j. */
static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  for (int j = 0; j < N; j++) {
    double u = x[2 * j], v = x[2 * j + 1];
    double ul = j > 0 ? x[2 * j - 2] : 1, vl = j > 0 ? x[2 * j - 1] : 3;
    double ur = j < N - 1 ? x[2 * j + 2] : 1, vr = j < N - 1 ? x[2 * j + 3] : 3;
    d[2 * j] = 1 + u * u * v - 4 * u + c * (ul - 2 * u + ur);
    d[2 * j + 1] = 3 * u - u * u * v + c * (vl - 2 * v + vr);
  }
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector w) {
  const double *x = NV_DATA_S(y);
  for (int j = 0; j < N; j++) {
    double u = x[2 * j], v = x[2 * j + 1];
    SM_ELEMENT_B(J, 2 * j, 2 * j) = 2 * u * v - 4 - 2 * c;
    SM_ELEMENT_B(J, 2 * j, 2 * j + 1) = u * u;
    SM_ELEMENT_B(J, 2 * j + 1, 2 * j) = 3 - 2 * u * v;
    SM_ELEMENT_B(J, 2 * j + 1, 2 * j + 1) = -u * u - 2 * c;
    if (j > 0) SM_ELEMENT_B(J, 2 * j, 2 * j - 2) = SM_ELEMENT_B(J, 2 * j + 1, 2 * j - 1) = c;
    if (j < N - 1) SM_ELEMENT_B(J, 2 * j, 2 * j + 2) = SM_ELEMENT_B(J, 2 * j + 1, 2 * j + 3) = c;
  }
  return 0;
}

void setup(double tolerance) {
  bdfBand(2 * N, 2, 2, rhs, jacobian, tolerance);
  for (int j = 0; j < N; j++) {
    NV_Ith_S(start, 2 * j) = 1 + sin(2 * 3.141592653589793 * (j + 1) / (N + 1.0));
    NV_Ith_S(start, 2 * j + 1) = 3;
  }
}

void simulate(double *shown) {
  smooth(10);
  shown[0] = NV_Ith_S(y, 2 * 99);
  shown[1] = NV_Ith_S(y, 2 * 99 + 1);
  shown[2] = NV_Ith_S(y, 2 * 249);
  shown[3] = NV_Ith_S(y, 2 * 249 + 1);
}
