/**
 * Looks for events in a step that was taken: the first sign change of an indicator, exact where functions of time or sharp functions of states
 * could hide one (`program/mode/scan.ts`), and beyond what rounding errors explain where relations choose the modes of a network.
 */

import type { ActiveComponent } from '../../program/components/components.ts';
import { disturbance, integrationErrors, roundingErrors } from '../../program/mode/disturbance.ts';
import type { Sampler } from '../../program/mode/watcher.ts';
import type { Runtime } from '../../program/runtime.ts';
import { type RootLocation, RootSearch } from '../../solve/roots.ts';
import type { Trials } from '../instant/candidate.ts';
import type { Present } from '../instant/current.ts';
import type { Relations } from '../instant/relations.ts';
import { zerosOf } from '../instant/settling.ts';

/** What is code is looked at so many times in a run. */
const looks = 500;
/** An indicator that is larger is no rounding error. */
const close = 1e-6;

export class Lookout {
  search = new RootSearch(0);
  private indicators: Float64Array = new Float64Array(0);
  /** Relations that have no value somewhere, as `log(x) > 0` where x is negative: those seen since they were last asked for, and all since the last event. */
  private gaps: number[] = [];
  private readonly known = new Set<number>();
  /** Whether the integrator knows the unknowns of large systems where the memory is, and whether the present search has seen a change. */
  private isFollowed = false;
  private inSight = false;
  /** The length of the step that is looked at. */
  private step = 0;
  private y: Float64Array = new Float64Array(0);

  constructor(
    private readonly runtime: Runtime,
    private readonly relations: Relations,
    private readonly present: Present,
    private readonly trials: Trials,
    private readonly settings: { readonly startTime: number; readonly stopTime: number },
    /** Writes the states at a time inside the last step. */
    private readonly statesAt: Sampler,
    /** Writes unknowns of large systems at such a time; true where these are as good as the states are. */
    private readonly guess: (t: number) => boolean,
  ) {}

  /** Continues from the values in the memory in the mode in force. */
  begin(time: number): void {
    const { mode } = this.present;
    if (this.search.count !== mode.indicatorCount) {
      this.search = new RootSearch(mode.indicatorCount);
      this.indicators = new Float64Array(mode.indicatorCount);
    }
    if (this.y.length !== mode.size) this.y = new Float64Array(mode.size);
    mode.readIndicators(this.indicators);
    this.known.clear();
    this.lookForGaps(this.indicators);
    this.search.begin(time, this.indicators);
    // The sign of an indicator is what its relation says, also where it is zero up to rounding.
    const choosing = this.trials.choosing();
    const errors = this.isClose() ? roundingErrors(this.runtime.values, mode) : undefined;
    let ahead: Float64Array | undefined;
    // One that is zero up to rounding, and goes over to the other side at once, has no error.
    const errorOf = (i: number, side: number): number => {
      const error = errors?.[i] ?? 0;
      const now = this.indicators[i]!;
      if (Math.abs(now) > error || now * side > 0) return error;
      ahead ??= this.trials.lookAhead(mode);
      return ((ahead[i] ?? now) - now) * side < -error ? 0 : error;
    };
    for (const [i, { relation }] of mode.watched.entries()) {
      const side = this.relations.side(relation);
      this.search.hold(i, side, errorOf(i, side));
      if (this.relations.changesAtZero(relation) && !choosing.has(relation))
        this.search.close(i, errors?.[i]);
    }
    for (const { live, firstIndicator } of mode.parts)
      live.eachSide((k, side) => {
        const i = firstIndicator + k;
        this.search.hold(i, side, errorOf(i, side));
      });
    this.search.trust(mode.scan.ranged);
    mode.scan.begin(this.signOf, this.statesAt, mode.size);
  }

  /** Indicators of a component stand for something else from here on; the memory has the values of the left end. */
  renew(part: ActiveComponent): void {
    const { search } = this;
    const { live, firstIndicator } = part;
    part.indicators(this.indicators);
    const { length } = live.point.z;
    for (let k = 0; k < length; k++) search.renew(firstIndicator + k, this.indicators[firstIndicator + k]!);
    live.eachSide((k, side) => search.hold(firstIndicator + k, side));
  }

  /** Whether an indicator may be zero up to rounding: a gap that opens slowly, a force that was just released. */
  private isClose(): boolean {
    return this.indicators.some((value) => Math.abs(value) <= close);
  }

  /** The first event in a step. Where events could hide inside the step, it is looked at in parts. */
  locate(start: number, end: number): RootLocation | undefined {
    const { mode } = this.present;
    if (!mode.mayCross) return undefined;
    const { scan } = mode;
    this.step = end - start;
    for (let t = start; t < end; ) {
      for (const stop of scan.stops(t, scan.opaque ? Math.min(end, this.nextLook(t)) : end)) {
        this.inSight = false;
        const location = this.search.locate(stop, this.indicatorsAt, this.errorsAt, end - start);
        if (location) return location;
        t = stop;
      }
    }
    return undefined;
  }

  /** The next point of a regular grid after t. */
  private nextLook(t: number): number {
    const { startTime, stopTime } = this.settings;
    const interval = (stopTime - startTime) / looks;
    const next = startTime + (Math.floor((t - startTime) / interval) + 1) * interval;
    return next > t ? next : t + interval;
  }

  private readonly signOf = (indicator: number): number => this.search.sign(indicator);

  /** Moves the memory to a time inside the step; false where a component gives no number. */
  private place(t: number): boolean {
    const { mode } = this.present;
    if (mode.size > 0) this.statesAt(t, this.y);
    this.isFollowed = this.guess(t);
    return mode.place(t, this.y);
  }

  private readonly indicatorsAt = (t: number, out: Float64Array): void => {
    const { mode } = this.present;
    if (!this.place(t) || !this.readIndicators(out)) return;
    for (const [i, { relation }] of mode.watched.entries()) this.relations.see(relation, out[i]!);
    this.lookForGaps(out);
  };

  /** Where the unknowns of large systems are known as well as the states, these systems are solved only once a change is in sight. */
  private readIndicators(out: Float64Array): boolean {
    const { present } = this;
    if (this.isFollowed && !this.inSight) {
      if (present.readIndicators(out, present.mode, true) && !this.search.isChange(out)) return true;
      this.inSight = true;
    }
    return present.readIndicators(out);
  }

  private lookForGaps(indicators: Float64Array): void {
    const { watched } = this.present.mode;
    for (let i = 0; i < watched.length; i++) {
      if (!Number.isNaN(indicators[i]!) || this.known.has(watched[i]!.relation)) continue;
      this.known.add(watched[i]!.relation);
      this.gaps.push(watched[i]!.relation);
    }
  }

  takeGaps(): readonly number[] {
    return this.gaps.splice(0);
  }

  /**
   * How far indicators of relations that choose modes of a network may be on the other side without having changed sign: by rounding errors, and by
   * errors of integration where they go back, and are back in the time that a step takes.
   */
  private readonly errorsAt = (t: number, out: Float64Array, passing: Uint8Array): void => {
    const { indicators, runtime } = this;
    const { mode } = this.present;
    out.fill(0);
    const choosing = this.trials.choosing();
    if (choosing.size === 0 || !this.place(t) || !this.present.guarded(() => mode.evaluateOutputs())) return;
    mode.readIndicators(indicators);
    this.roundingAt(choosing, out);
    let errors: Float64Array | undefined;
    for (const [i, { relation }] of mode.watched.entries()) {
      const size = Math.abs(indicators[i]!);
      const side = this.relations.side(relation);
      if (!choosing.has(relation) || indicators[i]! * side >= 0 || size <= out[i]!) continue;
      errors ??= integrationErrors(runtime.values, mode);
      if (size > errors[i]! || this.trials.timeToZero(mode, relation) > this.step) continue;
      out[i] = size;
      passing[i] = 1;
    }
  };

  /** Rounding errors of the relations; one that is very small beside the others that choose modes may be a rounding error altogether, which the equations tell. */
  private roundingAt(choosing: ReadonlySet<number>, out: Float64Array): void {
    const { indicators, runtime } = this;
    const { mode } = this.present;
    const roundings = roundingErrors(runtime.values, mode);
    let largest = 0;
    for (const [i, { relation }] of mode.watched.entries())
      if (choosing.has(relation)) largest = Math.max(largest, Math.abs(indicators[i]!));
    let zeros: ReadonlyMap<number, number> | undefined;
    for (const [i, { relation }] of mode.watched.entries()) {
      if (!choosing.has(relation)) continue;
      out[i] = roundings[i]!;
      if (Math.abs(indicators[i]!) >= disturbance * largest) continue;
      zeros ??= zerosOf(runtime, mode);
      out[i] = Math.max(out[i]!, zeros.get(relation) ?? 0);
    }
  }
}
