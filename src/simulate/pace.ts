/**
 * Watches that a run makes headway. Near a singularity an integrator can take steps that are accepted but so small that the
 * run would never end; the number of steps that would still be needed at the present pace tells.
 */

/** Steps between two looks. */
const window = 50_000;
/** More steps than anybody can wait for. */
const mostSteps = 1e9;

/** So many steps that lead on by less than this share of the run are slow. */
const fewSteps = 100;
const slowShare = 1e-6;

export class PaceWatch {
  private count = 0;
  private from: number;
  private recent = 0;
  private recentFrom: number;
  private readonly span: number;

  constructor(time: number, span: number) {
    this.from = time;
    this.recentFrom = time;
    this.span = span;
  }

  /** A step ended at `time`; whether the last ones were so slow that it is worth to look for the reason. */
  isSlow(time: number): boolean {
    if (++this.recent < fewSteps) return false;
    const slow = time - this.recentFrom < slowShare * this.span;
    this.recent = 0;
    this.recentFrom = time;
    return slow;
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
