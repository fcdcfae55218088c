/* models/HeatRod.mo by hand. */
#include "cvode.h"

#ifndef SIZE
#define SIZE 1000
#endif
const char *model = "HeatRod", *peer = "CVODE BDF band";
const int shownCount = 3;
static const double k = (double)SIZE * SIZE;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *T = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = k * (1 + 0.5 * sin(5 * t) - 2 * T[0] + T[1]);
  for (int i = 1; i < SIZE - 1; i++) d[i] = k * (T[i - 1] - 2 * T[i] + T[i + 1]);
  d[SIZE - 1] = k * (T[SIZE - 2] - T[SIZE - 1]);
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  for (int j = 0; j < SIZE; j++) {
    if (j > 0) SM_ELEMENT_B(J, j - 1, j) = k;
    SM_ELEMENT_B(J, j, j) = j == SIZE - 1 ? -k : -2 * k;
    if (j < SIZE - 1) SM_ELEMENT_B(J, j + 1, j) = k;
  }
  return 0;
}

void setup(double tolerance) { bdfBand(SIZE, 1, 1, rhs, jacobian, tolerance); }

void simulate(double *shown) {
  smooth(2);
  shown[0] = NV_Ith_S(y, 0);
  shown[1] = NV_Ith_S(y, SIZE / 2 - 1);
  shown[2] = NV_Ith_S(y, SIZE - 1);
}
