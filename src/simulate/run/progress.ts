/**
 * Watches that a run makes headway. Near a singularity an integrator can take steps that are accepted but so small that the
 * run would never end; the number of steps that would still be needed at the present pace tells. So it does with events.
 */

/** Steps, or events, between two looks, and more of them than anybody can wait for. */
const limits = {
  steps: { window: 50_000, most: 1e9 },
  events: { window: 100_000, most: 2e8 },
} as const;

/** So many steps that lead on by less than this share of the run are slow. */
const fewSteps = 100;
const slowShare = 1e-6;

export class PaceWatch {
  /** What was counted, and since when, as a value. */
  now: { count: number; from: number; recent: number; recentFrom: number };
  private readonly limit: (typeof limits)[keyof typeof limits];

  constructor(
    time: number,
    private readonly span: number,
    what: keyof typeof limits,
  ) {
    this.limit = limits[what];
    this.now = { count: 0, from: time, recent: 0, recentFrom: time };
  }

  /** A step ended at `time`; whether the last ones were so slow that it is worth to look for the reason. */
  isSlow(time: number): boolean {
    if (++this.now.recent < fewSteps) return false;
    const slow = time - this.now.recentFrom < slowShare * this.span;
    this.now.recent = 0;
    this.now.recentFrom = time;
    return slow;
  }

  /** A step ended, or an event was, at `time`; gives how many would follow to the end of the run where that is hopeless. */
  step(time: number, stopTime: number): number | undefined {
    const { window, most } = this.limit;
    if (++this.now.count < window) return undefined;
    const needed = ((stopTime - time) / (time - this.now.from)) * this.now.count;
    this.now.count = 0;
    this.now.from = time;
    return needed > most ? needed : undefined;
  }
}
