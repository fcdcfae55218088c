/** The history of a run: its segments, intervals between changes of the state vector, each with its numbers, and the modes that were in force. */
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { SolverStatistics } from '../../solve/integrator.ts';
import { withSource } from '../equations.ts';
import type { ModeVisit, SegmentVisit } from '../types.ts';

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

export class ModeHistory {
  readonly visits: ModeVisit[] = [];
  /** The visit of the mode in force. Names of states may be many: they are formed where somebody asks. */
  private open:
    | (Omit<ModeVisit, 'to' | 'states'> & {
        readonly mode: CompiledMode;
        readonly names: () => readonly string[];
      })
    | undefined;

  constructor(private readonly runtime: Runtime) {}

  begin(from: number, mode: CompiledMode, index: number): void {
    this.open = { signature: mode.mode.signature, from, index, mode, names: mode.allStateNames() };
  }

  /** Components have begun segments of their own in the instant in which the mode began: they have other states from there on. */
  settle(time: number, mode: CompiledMode): void {
    if (this.open?.from === time) this.open = { ...this.open, names: mode.allStateNames() };
  }

  end(to: number): void {
    if (this.open) this.visits.push(this.visit(this.open, to));
  }

  /** All visits, the one that goes on included. */
  soFar(to: number): readonly ModeVisit[] {
    return this.open ? [...this.visits, this.visit(this.open, to)] : this.visits;
  }

  private visit(
    { signature, from, index, mode, names }: NonNullable<typeof this.open>,
    to: number,
  ): ModeVisit {
    let states: readonly string[] | undefined;
    const visit: ModeVisit = {
      signature,
      from,
      to,
      get states() {
        return (states ??= names());
      },
      index,
    };
    return withSource(visit, this.runtime, mode.sorted);
  }
}
