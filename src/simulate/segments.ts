/** The history of segments: intervals between changes of the state vector, each with its numbers. */
import type { SolverStatistics } from '../solve/integrator.ts';
import type { SegmentVisit } from './types.ts';

type Counts = Pick<SolverStatistics, 'steps' | 'evaluations' | 'jacobians'> & { readonly events: number };

export class SegmentHistory {
  readonly visits: SegmentVisit[] = [];
  private open:
    | { readonly from: number; readonly states: number; readonly variant: number; readonly counts: Counts }
    | undefined;

  /** A segment begins with so many states, `variant` of them from built-in components. */
  begin(from: number, states: number, variant: number, counts: Counts): void {
    this.open = { from, states, variant, counts: { ...counts } };
  }

  end(to: number, counts: Counts): void {
    if (!this.open) return;
    const { from, states, variant, counts: before } = this.open;
    this.visits.push({
      from,
      to,
      states,
      variant,
      steps: counts.steps - before.steps,
      evaluations: counts.evaluations - before.evaluations,
      jacobians: counts.jacobians - before.jacobians,
      events: counts.events - before.events,
    });
    this.open = undefined;
  }
}
