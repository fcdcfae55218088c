/** What a run counts: the part of its statistics that the engine knows. */
import type { Statistics } from './types.ts';

export const noCounts = {
  steps: 0,
  evaluations: 0,
  jacobians: 0,
  events: 0,
  modeChanges: 0,
  restarts: 0,
  restartMs: 0,
  knownChanges: 0,
  knownChangeMs: 0,
  newChangeMs: 0,
} as const satisfies Partial<Statistics>;

export type Counters = Pick<Statistics, keyof typeof noCounts>;
