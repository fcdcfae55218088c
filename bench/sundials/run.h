/* Runs one CVODE problem often enough for a reliable CPU time and prints one line of JSON. */
#ifndef RUN_H
#define RUN_H

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sundials/sundials_version.h>
#include <time.h>

/* Outputs asked for, as a simulation environment does. */
#define INTERVALS 500
/* Repetitions go on for this CPU time; the fastest one counts. */
#define SECONDS 1.0

static void check(int flag) {
  if (flag < 0) {
    fprintf(stderr, "CVODE failed with %d\n", flag);
    exit(1);
  }
}

/* `y` holds the initial values; `shown` are the components to print, `count` of them. */
static void run(const char *name, const char *peer, void *cvode, N_Vector y, double stop, const int *shown, int count) {
  N_Vector start = N_VClone(y);
  double best = 1e300, total = 0;
  int repetitions = 0;
  N_VScale(1.0, y, start);
  while (total < SECONDS || repetitions < 3) {
    N_VScale(1.0, start, y);
    clock_t from = clock();
    check(CVodeReInit(cvode, 0.0, start));
    double t = 0;
    for (int k = 1; k <= INTERVALS; k++) check(CVode(cvode, stop * k / INTERVALS, y, &t, CV_NORMAL));
    double seconds = (double)(clock() - from) / CLOCKS_PER_SEC;
    total += seconds;
    repetitions++;
    if (seconds < best) best = seconds;
  }
  long steps = 0, evaluations = 0;
  char version[32] = "";
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumRhsEvals(cvode, &evaluations);
  SUNDIALSGetVersion(version, sizeof version);
  printf("{\"name\":\"%s\",\"peer\":\"SUNDIALS %s %s\",\"seconds\":%.9g,\"repetitions\":%d,\"steps\":%ld,\"evaluations\":%ld,\"values\":[",
         name, version, peer, best, repetitions, steps, evaluations);
  for (int k = 0; k < count; k++) printf("%s%.15g", k > 0 ? "," : "", NV_Ith_S(y, shown[k]));
  printf("]}\n");
}

#endif
