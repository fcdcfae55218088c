/**
 * Boundaries that are reached and not crossed. `q = if a > b then sqrt(a - b) else 0` takes a and b to the same value in finite time; there the
 * slope of the square root is infinite, steps become as small as rounding, and the relation never changes. Where steps get nowhere, relations whose
 * sides are equal up to the rounding of the states take the value that they have for equal sides.
 *
 * Others are crossed, and the equations have no values behind them: those of `y = if x > 0 then sqrt(x) else 0`, as long as x > 0 is held. Steps
 * that would end there fail, down to the smallest. Then the relations that such a step would change are about to change: those whose sides are equal and move apart, or a step back shows it.
 */

import type { CompiledMode } from '../../program/mode/compiled.ts';
import { smallestStep } from '../../solve/integrator.ts';
import type { Present } from '../instant/current.ts';
import type { Relations } from '../instant/relations.ts';

/** Rounding of a state, relative to it. */
const rounding = 8 * 2.220446049250313e-16;
/** So many of the smallest steps lead over a boundary before which steps fail. */
const ahead = 32;
/** Differences that solutions of systems of equations do not tell, beside the size of what is compared. */
const indistinct = 1e-11;
/** States of a mode that is looked at: each of them is moved a little. */
const mostStates = 200;

export class BoundaryWatch {
  constructor(
    private readonly relations: Relations,
    private readonly present: Present,
    private readonly slopeOf: (relation: number) => number | undefined,
  ) {}

  /** Relations of a mode that equal sides would change, and whose sides are equal at a point up to rounding. */
  reached(mode: CompiledMode, { t, y }: { readonly t: number; readonly y: Float64Array }): number[] {
    const watched = mode.watched.filter(({ relation }) => this.relations.changesAtZero(relation));
    if (watched.length === 0 || y.length > mostStates) return [];
    const at = this.indicators(mode, t, y);
    if (!at) return [];
    const noise = new Float64Array(at.length);
    const moved = y.slice();
    for (let j = 0; j < y.length; j++) {
      // Downwards and upwards: on one side there may be no value.
      for (const sign of [-1, 1]) {
        moved[j] = y[j]! * (1 + sign * rounding);
        const other = this.indicators(mode, t, moved);
        if (!other) continue;
        for (let i = 0; i < noise.length; i++) noise[i]! += 0.5 * Math.abs(other[i]! - at[i]!);
      }
      moved[j] = y[j]!;
    }
    return watched
      .map((w) => ({ relation: w.relation, i: mode.watched.indexOf(w) }))
      .filter(({ i }) => Math.abs(at[i]!) <= noise[i]!)
      .map(({ relation }) => relation);
  }

  /** Indicators of relations that change within a few of the smallest steps. */
  imminent(mode: CompiledMode, { t, y }: { readonly t: number; readonly y: Float64Array }): number[] {
    const slopes = new Float64Array(y.length);
    const known = mode.place(t, y) && this.present.guarded(() => mode.derivatives(t, y, slopes));
    const now = known ? this.indicators(mode, t, y) : undefined;
    if (!now) return [];
    const leaving = this.leaving(mode, { t, y }, now);
    if (leaving.length > 0) return leaving;
    const h = ahead * smallestStep(t);
    // Ahead there may be no values; a little before there were.
    const before = y.map((value, k) => value - h * slopes[k]!);
    const past = this.indicators(mode, t - h, before);
    if (!past) return [];
    return mode.watched.flatMap(({ relation }, i) => {
      const side = this.relations.side(relation);
      return now[i]! * side >= 0 && (2 * now[i]! - past[i]!) * side < 0 ? [i] : [];
    });
  }

  /** Indicators that are zero, as far as systems of equations tell, and whose derivatives say that relations change. */
  private leaving(
    mode: CompiledMode,
    { t, y }: { readonly t: number; readonly y: Float64Array },
    now: Float64Array,
  ): number[] {
    if (!mode.place(t, y) || !this.present.guarded(() => mode.evaluateEvent())) return [];
    return mode.watched.flatMap(({ relation }, i) => {
      const isZero = Math.abs(now[i]!) <= indistinct * this.relations.sizeOf(relation);
      const slope = isZero ? this.slopeOf(relation) : undefined;
      return slope !== undefined && slope * this.relations.side(relation) < 0 ? [i] : [];
    });
  }

  private indicators(mode: CompiledMode, t: number, y: Float64Array): Float64Array | undefined {
    const out = new Float64Array(mode.indicatorCount);
    return mode.place(t, y) && this.present.readIndicators(out, mode) ? out : undefined;
  }
}
