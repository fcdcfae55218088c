/** What a run counts. */
export interface Counters {
  steps: number;
  evaluations: number;
  jacobians: number;
  events: number;
  modeChanges: number;
  restarts: number;
  restartMs: number;
  knownChanges: number;
  knownChangeMs: number;
  newChangeMs: number;
}

export const noCounts: Readonly<Counters> = {
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
};
