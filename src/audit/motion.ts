/**
 * Values over time: between two rows that no event separates, a variable must change as its stored derivative says, and what is declared to
 * be conserved must stay. The mean slope must lie between the derivatives around, widened by what they differ; this is asked only
 * where there are more rows than steps of the integrator and nothing moves too fast for them, so that the rows show what happens in between.
 */

import type { Kept } from '../flat/flat.ts';
import { tolerance as auditTolerance, type Evaluator } from './evaluator.ts';
import type { Point } from './point.ts';
import { type Offences, placeText, share, shown } from './report.ts';

/** Mean slopes may be off by so many times the tolerance of the run, relative to the values. */
const slopeFactor = 100;
/** A conserved quantity may drift by so many times the tolerance of the run. */
const driftFactor = 1000;

/** Where a slope changes so much that it matters by this share of what the variable covers, rows are too far apart to tell: 140 of an oscillation are enough. */
const mostBend = 0.002;
/** At an event it may change by so many times the tolerance of the audit. */
const jumpFactor = 10;

interface Moving {
  readonly scalar: number;
  readonly value: number;
  readonly slope: number;
}

interface Quantity {
  readonly scalar: number;
  readonly slot: number;
  readonly kind: Kept;
  /** The value that it must keep, or must not exceed; NaN before the first. */
  reference: number;
}

export class Motion {
  private readonly evaluator: Evaluator;
  private readonly offences: Offences;
  private readonly tolerance: number;
  private readonly moving: readonly Moving[];
  private readonly kept: readonly Quantity[];
  /** Rows of the present interval without events. */
  private points: Point[] = [];

  constructor(evaluator: Evaluator, offences: Offences, tolerance: number) {
    const { values } = evaluator;
    this.evaluator = evaluator;
    this.offences = offences;
    this.tolerance = Math.max(tolerance, auditTolerance);
    this.moving = values
      .derivatives()
      .map((scalar) => ({ scalar, value: values.slot(scalar), slope: values.slot(scalar, 1) }));
    this.kept = values.kept().map(({ scalar, kind }) => {
      return { scalar, slot: values.slot(scalar), kind, reference: Number.NaN };
    });
  }

  /** Takes the next row; `resolved` tells whether rows are as dense as steps. */
  next(point: Point, resolved: boolean): void {
    this.conserve(point);
    if (point.before || !resolved) this.points = [];
    if (!resolved) return;
    this.points.push(point);
    if (this.points.length > 4) this.points.shift();
    const n = this.points.length;
    // The slopes on both sides of an interval tell how much they change; at the end of a segment there is one side only.
    if (n >= 3) this.compare(this.points, n - 3);
    if (point.side === 'before') this.end();
  }

  /** The last interval of a segment. Two rows alone do not tell how slopes change. */
  end(): void {
    if (this.points.length >= 3) this.compare(this.points, this.points.length - 2);
  }

  private compare(points: readonly Point[], k: number): void {
    const [a, b] = [points[k]!, points[k + 1]!];
    const step = b.time - a.time;
    if (!(step > 0)) return;
    const { values } = this.evaluator;
    if (this.bends(points)) return;
    for (const { scalar, value, slope } of this.moving) {
      const change = b.now[value]! - a.now[value]!;
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const point of points) {
        low = Math.min(low, point.now[slope]!);
        high = Math.max(high, point.now[slope]!);
      }
      if (!Number.isFinite(change) || !Number.isFinite(low) || !Number.isFinite(high)) continue;
      const size = Math.max(Math.abs(a.now[value]!), Math.abs(b.now[value]!), values.leastSize(value));
      const spread = high - low + Math.max(Math.abs(low), Math.abs(high)) * this.tolerance;
      const off = Math.max(step * (low - spread) - change, change - step * (high + spread));
      const allowed = slopeFactor * this.tolerance * size;
      if (!(off > allowed)) continue;
      const name = values.nameOf(scalar);
      this.offences.add({
        key: `slope ${name}`,
        message: `${name} changes by ${shown(change)} between the times ${a.time} and ${b.time}, which der(${name}) does not explain: it lies between ${shown(low)} and ${shown(high)}.`,
        relative: off / (size + Math.abs(change)),
        span: values.variableOf(scalar).origin.span,
      });
    }
  }

  /** Whether something moves so fast that rows do not show how. */
  private bends(points: readonly Point[]): boolean {
    const { values } = this.evaluator;
    for (let k = 1; k < points.length; k++) {
      const [a, b] = [points[k - 1]!, points[k]!];
      const step = b.time - a.time;
      for (const { value, slope } of this.moving) {
        const bend = step * Math.abs(b.now[slope]! - a.now[slope]!);
        const covered = Math.max(values.range(value), slopeFactor * this.tolerance * values.largest(value));
        if (bend > mostBend * covered) return true;
      }
    }
    return false;
  }

  private conserve(point: Point): void {
    const { values } = this.evaluator;
    for (const kept of this.kept) {
      const value = point.now[kept.slot]!;
      if (Number.isNaN(value)) continue;
      if (Number.isNaN(kept.reference)) kept.reference = value;
      const off = kept.kind === 'conserved' ? Math.abs(value - kept.reference) : value - kept.reference;
      const size = Math.max(values.largest(kept.slot), Math.abs(kept.reference));
      if (kept.kind === 'dissipated' && value < kept.reference) kept.reference = value;
      const jump = point.before ? value - point.before[kept.slot]! : 0;
      const grown = kept.kind === 'conserved' ? Math.abs(jump) : jump;
      if (!(off > driftFactor * this.tolerance * size || grown > jumpFactor * auditTolerance * size))
        continue;
      const name = values.nameOf(kept.scalar);
      const place = placeText(point.side, point.time);
      const relative = Math.max(off, grown) / size;
      const verb =
        kept.kind === 'conserved' ? 'is to be conserved, but has changed' : 'must not grow, but has grown';
      this.offences.add({
        key: `kept ${name}`,
        message: `${name} ${verb} by ${shown(Math.max(off, grown))} (${share(relative)} of its size) ${place}.`,
        relative,
        span: values.variableOf(kept.scalar).origin.span,
      });
    }
  }
}
