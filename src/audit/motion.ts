/**
 * Values over time: between two rows that no event separates, a variable must change by the integral of its stored derivative, and what is declared to
 * be conserved must stay. The integral is that of a cubic through the slopes of four rows; how much it differs from those through fewer rows tells how far it can be
 * off. This is asked only where there are as many rows as steps of the integrator, so that the rows show what happens in between.
 */

import type { Kept } from '../flat/flat.ts';
import { type AuditEvaluator, tolerance as auditTolerance } from './evaluator.ts';
import type { AuditPoint } from './point.ts';
import { type Offences, placeText, share, shown } from './report.ts';
import type { Slack } from './slack.ts';

/** From row to row, states may be off by so many times what they may be off in one of them. */
const stepFactor = 2;
/** Integrals may be off by so many times what they differ from those through fewer rows: where a slope has a kink, twice as much. */
const quadratureFactor = 4;
/** Of three rows, integrals may differ by this share of what slopes of least and largest value would make of them. */
const spreadShare = 0.02;
/** Rows are close to each other up to this share of their mean distance. */
const closeShare = 0.05;
/** A conserved quantity may drift by so many times the tolerance of the run. */
const driftFactor = 1000;

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
  private readonly tolerance: number;
  private readonly leastStep: number;
  private readonly moving: readonly Moving[];
  private readonly kept: readonly Quantity[];
  /** Rows of the present interval without events. */
  private points: AuditPoint[] = [];

  constructor(
    private readonly evaluator: AuditEvaluator,
    private readonly offences: Offences,
    private readonly slack: Slack,
    private readonly stepsAtRows: readonly number[],
    tolerance: number,
  ) {
    const { values } = evaluator;
    this.tolerance = Math.max(tolerance, auditTolerance);
    const { time, rowCount } = values.table;
    this.leastStep = (closeShare * (time[rowCount - 1]! - time[0]!)) / rowCount;
    this.moving = values
      .derivatives()
      .map((scalar) => ({ scalar, value: values.slot(scalar), slope: values.slot(scalar, 1) }));
    this.kept = values.kept().map(({ scalar, kind }) => {
      return { scalar, slot: values.slot(scalar), kind, reference: Number.NaN };
    });
  }

  next(point: AuditPoint): void {
    this.conserve(point);
    if (point.before) this.points = [];
    // Rows that are close to each other, as before an event, say little of how slopes change, and much of how far they are off.
    if (point.time - (this.points.at(-1)?.time ?? Number.NEGATIVE_INFINITY) < this.leastStep) {
      if (point.side !== 'before' || this.points.length === 1) return;
      this.points.pop();
    }
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

  private compare(points: readonly AuditPoint[], k: number): void {
    const [a, b] = [points[k]!, points[k + 1]!];
    const step = b.time - a.time;
    if (!(step > 0) || !this.isResolved(points)) return;
    const { values } = this.evaluator;
    for (const { scalar, value, slope } of this.moving) {
      const change = b.now[value]! - a.now[value]!;
      const { integral, error } = integrate(points, k, slope);
      const off = Math.abs(change - integral);
      if (!(off > 0)) continue;
      const own = Math.max(this.slack.ofState(value, a), this.slack.ofState(value, b));
      if (!(off > stepFactor * own + quadratureFactor * error)) continue;
      // What follows from other states, and a derivative that follows a state fast, may be off by more than a state itself.
      const largest = (slot: number) => Math.max(...points.map((point) => this.slack.at(point)(slot)));
      const allowed = stepFactor * Math.max(own, largest(value)) + step * largest(slope);
      if (!(off > allowed + quadratureFactor * error)) continue;
      const name = values.nameOf(scalar);
      const size = values.sizeOf(value, a.now[value]!, b.now[value]!);
      this.offences.add({
        key: `slope ${name}`,
        message: `${name} changes by ${shown(change)} between the times ${a.time} and ${b.time}, but the integral of der(${name}) is ${shown(integral)}.`,
        relative: off / (size + Math.abs(change)),
        span: values.variableOf(scalar).origin.span,
      });
    }
  }

  /** Whether the integrator took no more steps than there are rows: otherwise it had reasons that rows do not show. */
  private isResolved(points: readonly AuditPoint[]): boolean {
    const [first, last] = [points[0]!.row, points.at(-1)!.row];
    return this.stepsAtRows[last]! - this.stepsAtRows[first]! < points.length;
  }

  private conserve(point: AuditPoint): void {
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

/** The integral of a slope from row k to the next, through all rows given, and how much it differs from those through fewer of them. */
function integrate(
  points: readonly AuditPoint[],
  k: number,
  slot: number,
): { integral: number; error: number } {
  const integral = integralOf(points, k, slot);
  const fewer = [integralOf(points.slice(k, k + 2), 0, slot)];
  if (k + 2 < points.length) fewer.push(integralOf(points.slice(0, -1), k, slot));
  if (k > 0) fewer.push(integralOf(points.slice(1), k - 1, slot));
  const error = Math.max(...fewer.map((other) => Math.abs(other - integral)));
  if (points.length > 3) return { integral, error };
  // Three rows near an inflection seem to tell more than they do.
  const slopes = points.map((point) => point.now[slot]!);
  const spread = (points[k + 1]!.time - points[k]!.time) * (Math.max(...slopes) - Math.min(...slopes));
  return { integral, error: Math.max(error, spreadShare * spread) };
}

/** The integral of the polynomial through the slopes of some rows; that of a cubic is exact. */
function integralOf(points: readonly AuditPoint[], k: number, slot: number): number {
  const [from, to] = [points[k]!.time, points[k + 1]!.time];
  const [middle, half] = [(from + to) / 2, (to - from) / 2];
  let sum = 0;
  for (const node of [-1, 1]) {
    const t = middle + (node * half) / Math.sqrt(3);
    for (const [i, point] of points.entries()) {
      let weight = half * point.now[slot]!;
      for (const [j, other] of points.entries())
        if (j !== i) weight *= (t - other.time) / (point.time - other.time);
      sum += weight;
    }
  }
  return sum;
}
