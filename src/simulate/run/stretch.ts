/**
 * What is integrated between two events: steps of the integrator, and what the equations say at their ends and between them. A step is taken again
 * with a part of it where it ended on another solution of its equations than the one on which it began.
 */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { explainGrowth, explainPace, explainStep } from '../../program/explain.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Integrator } from '../../solve/integrator.ts';
import type { KernelRows } from '../../solve/rows.ts';
import type { Present } from '../instant/current.ts';
import { StepWatch } from '../instant/selection.ts';
import type { Settings } from '../settings.ts';
import type { BoundaryWatch } from './boundary.ts';
import { type Edge, findEdge, type SolutionPoint } from './ending.ts';
import type { OutputGrid } from './grid.ts';
import type { Integrators } from './integrators.ts';
import { PaceWatch } from './progress.ts';

/** A step that ends on another solution of its constraints is tried again with this part of it, so often at most. */
const retreat = 0.25;
const mostRetreats = 20;
/** Points of a step at which solutions of systems are followed that have come far in it. */
const lookouts = 16;
/** At tolerances above this, constraints may have no solution at points inside a step. */
const tight = 1e-5;

export class Stretch {
  integrator!: Integrator;
  /** The mode that the integrator integrates. */
  private mode: CompiledMode | undefined;
  /** States at the time that was asked for last. */
  y: Float64Array = new Float64Array(0);
  /** The last row or the beginning. */
  mark: SolutionPoint = { time: Number.NaN, y: new Float64Array(0) };
  /** Relations whose sides were found to have become equal, and indicators that are about to change where steps can go no further. */
  reached: readonly number[] = [];
  imminent: readonly number[] = [];
  readonly choice: StepWatch;
  readonly pace: PaceWatch;
  private growthIsTold = false;

  constructor(
    private readonly runtime: Runtime,
    private readonly settings: Settings,
    private readonly present: Present,
    private readonly integrators: Integrators,
    private readonly grid: OutputGrid,
    private readonly boundary: BoundaryWatch,
  ) {
    this.choice = new StepWatch(runtime.values, settings.tolerance);
    this.pace = new PaceWatch(settings, 'steps');
  }

  /** Begins with the values in the memory, in the mode in force. */
  begin(time: number): void {
    const { mode } = this.present;
    this.integrator = this.integrators.for(mode);
    this.mode = mode;
    if (this.y.length !== mode.size) this.y = new Float64Array(mode.size);
    mode.readStates(this.y);
    if (this.mark.y.length !== mode.size) this.mark = { time, y: new Float64Array(mode.size) };
    this.setMark(time);
    mode.keepSolutions();
    this.choice.begin(time, mode.sorted.selections);
    this.integrator.start(time, this.y);
  }

  /** A row has these states. */
  setMark(time: number): void {
    this.mark.time = time;
    this.mark.y.set(this.y);
  }

  /** Whether it is the mode in force that is integrated, and not the one before a change. */
  get isCurrent(): boolean {
    return this.mode === this.present.mode;
  }

  /** Goes on with the integrator of the mode in force as that was left. */
  resume(): void {
    this.integrator = this.integrators.for(this.present.mode);
  }

  /** One step of the integrator; without states, on to the limit. */
  stepTo(from: number, limit: number): number {
    const { integrator } = this;
    const { mode } = this.present;
    mode.nextStep();
    if (mode.size === 0) return limit;
    const isWatched = mode.sorted.selections.length > 0;
    const states = isWatched || mode.isIterated ? integrator.y.slice() : undefined;
    for (let end = limit, retreats = 0; ; retreats++) {
      const outcome = integrator.step(end);
      const failed = outcome.kind === 'failed';
      if (failed || this.pace.isSlow(integrator.t)) this.reached = this.boundary.reached(mode, integrator);
      if (failed && this.reached.length > 0) break;
      if (failed) this.imminent = this.boundary.imminent(mode, integrator);
      if (this.imminent.length > 0) break;
      if (failed) throw this.failure(from, outcome.reason, outcome.component);
      mode.keepSolutions();
      if (!states || (isWatched ? this.isSound() : this.keepsSolutions())) break;
      end = integrator.tPrevious + retreat * (integrator.t - integrator.tPrevious);
      mode.restoreSolutions();
      integrator.start(integrator.tPrevious, states);
      if (retreats < mostRetreats) continue;
      this.imminent = this.boundary.imminent(mode, integrator);
      if (this.imminent.length > 0) break;
      throw this.failure(from, 'step-too-small', 0);
    }
    return integrator.t;
  }

  /** Several steps of the integrator at once, with rows; how far they led. What is wrong with a step shows when it is taken by itself. */
  run(rows: KernelRows, limit: number, most: number): number {
    const { integrator, pace, boundary } = this;
    const { mode } = this.present;
    const { steps } = integrator.statistics;
    mode.nextStep();
    try {
      integrator.run!(rows, limit, Math.min(most, pace.left));
    } finally {
      const { count } = rows;
      if (count > 0) {
        this.y.set(rows.states);
        this.setMark(rows.time(count - 1));
        this.present.known = 'continuous';
      }
    }
    const taken = integrator.statistics.steps - steps;
    if (taken > 0) {
      pace.pass(taken - 1);
      if (pace.isSlow(integrator.t)) this.reached = boundary.reached(mode, integrator);
    }
    return integrator.t;
  }

  /** Whether a step stayed on the solution of its constraints on which it began. */
  private isSound(): boolean {
    const { integrator, choice, grid } = this;
    const { t } = integrator;
    const isSolvable = (time: number): boolean => this.evaluatesAt(time);
    if (!isSolvable(t) || !choice.fits(t)) return false;
    if (this.settings.tolerance > tight && grid.at(grid.next) < t) {
      // Interpolated states may be beyond what constraints allow, by about the tolerance.
      this.present.mode.restoreSolutions();
      for (let k = grid.next; grid.at(k) < t; k++) if (!isSolvable(grid.at(k))) return false;
      isSolvable(t);
    }
    choice.next(t);
    return true;
  }

  /** Systems have several solutions, and are solved from far away in a large step: the one that is followed in small steps counts. */
  private keepsSolutions(): boolean {
    const { integrator } = this;
    const { mode } = this.present;
    const { t, tPrevious } = integrator;
    if (!integrator.strayed && !mode.isFar(integrator.strayed !== undefined)) return true;
    // The last values are those of an iteration: in stiff systems they differ from the ones at the end itself.
    if (!this.solvesAt(t)) return true;
    mode.keepSolutions();
    mode.restoreSolutions();
    for (let k = 1; k <= lookouts; k++)
      if (!this.solvesAt(tPrevious + ((t - tPrevious) * k) / lookouts)) return true;
    return mode.isAtEnd;
  }

  private solvesAt(t: number): boolean {
    const { present } = this;
    const { mode } = present;
    if (mode.size > 0) this.interpolate(t, this.y);
    present.known = 'nothing';
    return mode.place(t, this.y) && present.guarded(() => mode.evaluateSolutions());
  }

  /** Ends a run that began its last step at a time and would never come to its end at the pace of its steps. */
  checkPace(from: number): void {
    const { mode } = this.present;
    if (mode.size === 0) return;
    const needed = this.pace.step(this.integrator.t);
    if (needed === undefined) return;
    throw new Failure('simulate', [explainPace(from, needed, mode.describeState(mode.fastestState()))]);
  }

  /** Whether the last step, from a time on, has made something grow, told once in a run. */
  growth(from: number): Diagnostic | undefined {
    const { method, growing } = this.integrator;
    if (!growing || this.growthIsTold) return undefined;
    this.growthIsTold = true;
    const { frequency, component } = growing;
    return explainGrowth(from, method, frequency, this.present.mode.describeState(component));
  }

  private failure(
    from: number,
    reason: 'step-too-small' | 'not-finite' | 'singular',
    component: number,
  ): Failure {
    const { present, integrator } = this;
    const { mode } = present;
    if (reason === 'not-finite') {
      const { time, y } = this.integrators.lastFailure;
      present.guarded(() => mode.derivatives(time, y, new Float64Array(y.length)));
      return present.evaluationFailure('simulate', from);
    }
    const explained = this.runtime.components.explain({ kind: 'small-steps', time: from });
    if (explained) return new Failure('simulate', [explained]);
    const state = mode.describeState(component);
    return new Failure('simulate', [explainStep(from, state, integrator.y[component])]);
  }

  readonly interpolate = (t: number, out: Float64Array): void => {
    if (t === this.integrator.t) out.set(this.integrator.y);
    else this.integrator.interpolate(t, out);
  };

  /** Writes what systems begin from; true where these values are as good as the states are. */
  readonly guess = (t: number): boolean =>
    this.isCurrent && t > this.integrator.tPrevious && (this.integrator.guess?.(t) ?? false);

  /** Computes everything continuous at a time of the last step; false where there are no values. */
  evaluatesAt(t: number): boolean {
    const { present } = this;
    const { mode } = present;
    if (mode.size > 0) this.interpolate(t, this.y);
    present.known = 'continuous';
    return mode.place(t, this.y) && present.guarded(() => mode.evaluateOutputs());
  }

  /** Where values end since a time, before another one; the solutions behind the edge are in the memory then. */
  findEdge(since: number, t: number, hasValues: (t: number) => boolean): Edge | undefined {
    if (!this.isCurrent || !(since < t)) return undefined;
    const { mode } = this.present;
    const edge = findEdge(mode, this.integrator, this.mark, t, hasValues);
    mode.restoreSolutions();
    hasValues(edge?.beyond ?? t);
    return edge;
  }
}
