/* models/Cascade.mo by hand. */
#include "cvode.h"

#ifndef SIZE
#define SIZE 1000
#endif
const char *model = "Cascade", *peer = "CVODE BDF band";
const int shownCount = 3;
static const double rate = SIZE;

static int rhs(sunrealtype t, N_Vector y, N_Vector dy, void *data) {
  const double *x = NV_DATA_S(y);
  double *d = NV_DATA_S(dy);
  d[0] = rate * (1 - x[0]);
  for (int i = 1; i < SIZE; i++) d[i] = rate * (x[i - 1] - x[i]);
  return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector a, N_Vector b, N_Vector c) {
  for (int j = 0; j < SIZE; j++) {
    SM_ELEMENT_B(J, j, j) = -rate;
    if (j < SIZE - 1) SM_ELEMENT_B(J, j + 1, j) = rate;
  }
  return 0;
}

void setup(double tolerance) { bdfBand(SIZE, 0, 1, rhs, jacobian, tolerance); }

void simulate(double *shown) {
  smooth(1);
  shown[0] = NV_Ith_S(y, SIZE / 2 - 1);
  shown[1] = NV_Ith_S(y, SIZE - 1 - SIZE / 50);
  shown[2] = NV_Ith_S(y, SIZE - 1);
}
