/**
 * How integrators measure errors: the root mean square of the components, each divided by what is tolerated of it,
 * relative * |y| + absolute. A value of one is just acceptable.
 */
import type { OdeSystem, SolverStatistics, Tolerances } from './integrator.ts';

/** The reciprocals of the tolerated errors, kept up to date with the solution. Norms are those of its first `n` components. */
export class ErrorWeights implements Tolerances {
  readonly values: Float64Array;
  readonly relative: number;
  readonly absolute: number | Float64Array;

  constructor(
    readonly n: number,
    tolerances: Tolerances,
  ) {
    const { relative, absolute } = tolerances;
    this.values = new Float64Array(typeof absolute === 'number' ? n : absolute.length);
    this.relative = relative;
    this.absolute = absolute;
  }

  nominal(i: number): number {
    return nominalOf(this, i);
  }

  update(y: Float64Array): void {
    const { values, relative, absolute } = this;
    const n = values.length;
    if (typeof absolute === 'number') {
      for (let i = 0; i < n; i++) values[i] = weight(relative * Math.abs(y[i]!) + absolute);
    } else {
      for (let i = 0; i < n; i++) values[i] = weight(relative * Math.abs(y[i]!) + absolute[i]!);
    }
  }

  norm(v: Float64Array): number {
    const { values, n } = this;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const scaled = v[i]! * values[i]!;
      sum += scaled * scaled;
    }
    return n === 0 ? 0 : Math.sqrt(sum / n);
  }

  /** The component that contributes most to the norm; one that is not finite before all others. */
  worst(v: Float64Array): number {
    const { values, n } = this;
    let worst = 0;
    let largest = -1;
    for (let i = 0; i < n; i++) {
      const size = Math.abs(v[i]! * values[i]!);
      if (!Number.isFinite(size)) return i;
      if (size > largest) {
        largest = size;
        worst = i;
      }
    }
    return worst;
  }
}

/** The size of a component from which on its tolerated error is in proportion to it: its nominal value. */
export function nominalOf({ relative, absolute }: Tolerances, i: number): number {
  const least = typeof absolute === 'number' ? absolute : absolute[i]!;
  return relative > 0 ? least / relative : 0;
}

/** A component that may have no error at all still must not make the norm infinite. */
const SMALLEST_TOLERATED = 1e-300;

function weight(tolerated: number): number {
  return 1 / Math.max(tolerated, SMALLEST_TOLERATED);
}

/** Where an integration begins, and scratch memory for the choice of the first step. */
export interface StartingPoint {
  readonly t: number;
  readonly y: Float64Array;
  /** f(t, y). */
  readonly slope: Float64Array;
  readonly weights: ErrorWeights;
  /** The longest step that makes sense. */
  readonly interval: number;
  readonly trial: Float64Array;
  readonly probe: Float64Array;
}

/** The Euler step that probes y'' changes the solution by this part of its scale. */
const EULER_SHARE = 0.01;
/** Where the scale of the solution or its derivative is below this, it says nothing ... */
const NEGLIGIBLE = 1e-5;
/** ... and the probe is this part of the interval. */
const BLIND_SHARE = 1e-6;
/** The first step is at most this multiple of the probe. */
const TRUST = 100;
/** How often the probe is shortened because the right-hand side cannot be evaluated at its end. */
const PROBES = 8;

/**
 * A first step whose local error is about `target` of the tolerance for a method of order `order`, from the
 * sizes of y, y' and y'' (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4). At order
 * one the error is that of y''; at higher orders, where y'' says less, y' counts as well.
 */
export function initialStep(
  system: OdeSystem,
  point: StartingPoint,
  order: number,
  target: number,
  statistics: SolverStatistics,
): number {
  const { t, y, slope, weights, trial, probe } = point;
  const interval = Number.isFinite(point.interval) ? point.interval : Math.max(1, Math.abs(t));
  const size = weights.norm(y);
  const speed = weights.norm(slope);
  const blind = size < NEGLIGIBLE || speed < NEGLIGIBLE;
  let h = Math.min(interval, blind ? BLIND_SHARE * interval : (EULER_SHARE * size) / speed);
  for (let attempt = 0; attempt < PROBES; attempt++) {
    for (let i = 0; i < y.length; i++) trial[i] = y[i]! + h * slope[i]!;
    statistics.evaluations++;
    if (system.rhs(t + h, trial, probe)) {
      for (let i = 0; i < y.length; i++) trial[i] = probe[i]! - slope[i]!;
      const curvature = weights.norm(trial) / h;
      if (Number.isFinite(curvature)) {
        const measure = order === 1 ? curvature : Math.max(curvature, speed);
        const byError = measure > 0 ? (target / measure) ** (1 / (order + 1)) : interval;
        return Math.min(TRUST * h, byError, interval);
      }
    }
    h *= 0.1;
  }
  return h;
}
