/**
 * Where events hide inside a step: what `watchlist.ts` has found out about a mode, looked at while it runs. The looking is done on ranges (`Watcher`). What is code
 * (functions, built-in components) has none, and is looked at in regular intervals.
 */
import { Failure } from '../../diagnostic/failure.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import type { Piece } from '../../solve/isolate.ts';
import type { Leaf } from '../../symbolic/expr.ts';
import { explainUnfollowed } from '../explain.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import { type Sampler, Watcher } from './watcher.ts';
import type { Watchlist } from './watchlist.ts';

/** Pieces that are looked at before a step; if nothing is found in them, the step ends where they do. */
const budget = 2000;
/** What indicators move by less than this part of the tolerance of states is no sign of anything. */
const noise = 1e-3;
export class Scan {
  /** By indicator: 1 where its changes are found by ranges. */
  readonly ranged: Uint8Array;
  /** Relations of time alone. */
  readonly timed: ReadonlySet<number>;
  /** Whether some indicator may change at any time without any sign of it. */
  readonly opaque: boolean;
  private readonly ahead: Watcher | undefined;
  private readonly behind: Watcher | undefined;
  /** How far was looked ahead, whether a step must end there, and where indicators have to be looked at before. */
  private until = Number.NEGATIVE_INFINITY;
  private found = false;
  private readonly marks: number[] = [];

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: ReadyMode,
    { ranged, timed, opaque, ahead, behind, meaning, share }: Watchlist,
  ) {
    this.ranged = ranged;
    this.timed = timed;
    this.opaque = opaque;
    if (ahead.length > 0) this.ahead = new Watcher(ahead, meaning, share);
    if (behind.length > 0) this.behind = new Watcher(behind, meaning, share);
  }

  /** Whether steps may be of any length. */
  get isIdle(): boolean {
    return this.ahead === undefined;
  }

  /** Continues with the values in the memory; `signOf` gives the present sign of an indicator, `sample` the `size` states in the last step. */
  begin(signOf: (indicator: number) => number, sample: Sampler, size: number): void {
    const { values } = this.runtime.values.memory;
    const read = (leaf: Leaf): number => values[this.runtime.values.slot(leaf)]!;
    const accuracy = noise * this.runtime.values.tolerance;
    this.ahead?.begin(read, signOf, sample, size, accuracy);
    this.behind?.begin(read, signOf, sample, size, accuracy);
    this.until = Number.NEGATIVE_INFINITY;
    this.found = false;
  }

  /** What was found so far, as a value; `resume` goes on from it, after `begin`. */
  state() {
    const { until, found, marks } = this;
    return { until, found, marks: marks.slice(), ahead: this.ahead?.state(), behind: this.behind?.state() };
  }

  resume({ until, found, marks, ahead, behind }: ReturnType<Scan['state']>): void {
    Object.assign(this, { until, found, marks: marks.slice() });
    if (ahead) this.ahead?.resume(ahead);
    if (behind) this.behind?.resume(behind);
  }

  /** Up to where a step may go, so that no function of time changes its sign twice in it, or turns. */
  quiet(from: number, limit: number): number {
    const { ahead } = this;
    if (!ahead) return limit;
    if (from >= this.until) {
      this.marks.length = 0;
      this.until = from;
      this.found = false;
    }
    // What was found for another limit still counts; pieces of which nothing is known are marked, and no reason to stop.
    while (!this.found && this.until < limit) {
      pulse();
      const piece = ahead.next(this.until, limit, budget);
      // Between two places where functions of time turn, an indicator may be on another side than at both.
      if (piece && piece.finding !== 'stays')
        this.marks.push(0.5 * (this.until + piece.start), piece.start, piece.end);
      if (piece) this.checkFollowed(ahead, piece);
      this.until = piece ? piece.end : limit;
      this.found = piece !== undefined && piece.finding !== 'open';
    }
    return Math.min(limit, this.until);
  }

  /** The next points of a step at which indicators have to be looked at: between them no sign changes twice. */
  stops(from: number, end: number): number[] {
    const found = this.behind?.next(from, end);
    if (found) this.checkFollowed(this.behind!, found);
    const last = found ? found.end : end;
    const stops = found ? [found.start, ...this.marks, found.end] : [...this.marks, end];
    return stops.filter((t) => t > from && t <= last).sort((a, b) => a - b);
  }

  /** Events that are too many to be told apart would be passed over. */
  private checkFollowed(watcher: Watcher, { start, end, finding }: Piece): void {
    const lost = finding === 'open' ? watcher.lost(start, end) : undefined;
    if (lost === undefined) return;
    const { relation } = this.mode.watched[lost]!;
    throw new Failure('simulate', [explainUnfollowed(this.runtime, relation, start, end)]);
  }
}
