/** The history of segments: intervals between changes of the state vector, each with its numbers. */
import type { SolverStatistics } from '../../solve/integrator.ts';
import type { SegmentVisit } from '../types.ts';

export class SegmentHistory {
  readonly visits: SegmentVisit[] = [];
  /** The segment that is open, with what had been counted when it began. */
  private open: SegmentVisit | undefined;

  /** `statistics` are those of all integrators, counted on. */
  constructor(private readonly statistics: SolverStatistics) {}

  /** A segment begins with so many states, `variant` of them from built-in components; `events` have happened before. */
  begin(from: number, states: number, variant: number, events: number): void {
    const { steps, evaluations, jacobians } = this.statistics;
    this.open = { from, to: from, states, variant, steps, evaluations, jacobians, events };
  }

  end(to: number, events: number): void {
    const { open, statistics } = this;
    if (!open) return;
    this.visits.push({
      ...open,
      to,
      steps: statistics.steps - open.steps,
      evaluations: statistics.evaluations - open.evaluations,
      jacobians: statistics.jacobians - open.jacobians,
      events: events - open.events,
    });
    this.open = undefined;
  }
}
