/**
 * Watches that a run makes headway. Near a singularity an integrator can take steps that are accepted but so small that the
 * run would never end; the number of steps that would still be needed at the present pace tells.
 */

/** Steps between two looks. */
const window = 50_000;
/** More steps than anybody can wait for. */
const mostSteps = 1e9;

export class PaceWatch {
  private count = 0;
  private from: number;

  constructor(time: number) {
    this.from = time;
  }

  /** A step ended at `time`; gives the number of steps to the end of the run where it is hopeless. */
  step(time: number, stopTime: number): number | undefined {
    if (++this.count < window) return undefined;
    const needed = ((stopTime - time) / (time - this.from)) * this.count;
    this.count = 0;
    this.from = time;
    return needed > mostSteps ? needed : undefined;
  }
}
