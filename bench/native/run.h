/*
 * What the programs of this folder share. Each is a model of bench/models written by hand for SUNDIALS, as an engineer would who knows the library: the
 * method that suits, exact Jacobians, no allocation while it runs. A program defines
 *
 *     model, peer, shownCount
 *     setup(tolerance)       everything that is done once
 *     simulate(shown)        one run from the start, with INTERVALS outputs; writes the values that are compared
 *
 * and prints one line of JSON: the CPU time of the first run and of the fastest of several, and the values. Its argument is the tolerance; with a second one it
 * runs once.
 */
#ifndef RUN_H
#define RUN_H

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_types.h>
#include <sundials/sundials_version.h>
#include <time.h>

/* Outputs asked for, as a simulation environment does. */
#define INTERVALS 500
/* Repetitions go on for this CPU time, and for this number; the fastest one counts. */
#define SECONDS 0.5
#define REPETITIONS 6

extern const char *model, *peer;
extern const int shownCount;
void setup(double tolerance);
void simulate(double *shown);

static SUNContext context;
static long changes;

static void check(int flag) {
  if (flag >= 0) return;
  fprintf(stderr, "SUNDIALS failed with %d\n", flag);
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int count, char **arguments) {
  double shown[16], first = 0, best = 1e300, total = 0;
  char version[32] = "";
  SUNContext_Create(NULL, &context);
  setup(count > 1 ? atof(arguments[1]) : 1e-6);
  for (int k = 0; k == 0 || (count < 3 && (total < SECONDS || k < REPETITIONS)); k++) {
    changes = 0;
    double from = seconds();
    simulate(shown);
    double taken = seconds() - from;
    total += taken;
    if (k == 0) first = taken;
    if (taken < best) best = taken;
  }
  SUNDIALSGetVersion(version, sizeof version);
  printf("{\"peer\":\"SUNDIALS %s %s\",\"cold\":%.9g,\"warm\":%.9g,\"changes\":%ld,\"values\":[", version, peer, first, best, changes);
  for (int k = 0; k < shownCount; k++) printf("%s%.15g", k > 0 ? "," : "", shown[k]);
  printf("]}\n");
  return 0;
}

#endif
