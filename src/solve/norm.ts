/**
 * How integrators measure errors: the root mean square of the components, each divided by what is tolerated of it,
 * relative * |y| + absolute. A value of one is just acceptable.
 */
import type { OdeSystem, Tolerances } from './integrator.ts';

/** The reciprocals of the tolerated errors, kept up to date with the solution. */
export class ErrorWeights {
  readonly values: Float64Array;
  private readonly relative: number;
  private readonly absolute: number | Float64Array;

  constructor(n: number, tolerances: Tolerances) {
    this.values = new Float64Array(n);
    this.relative = tolerances.relative;
    this.absolute = tolerances.absolute;
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
    const { values } = this;
    const n = values.length;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const scaled = v[i]! * values[i]!;
      sum += scaled * scaled;
    }
    return n === 0 ? 0 : Math.sqrt(sum / n);
  }

  /** The component that contributes most to the norm; one that is not finite before all others. */
  worst(v: Float64Array): number {
    const { values } = this;
    let worst = 0;
    let largest = -1;
    for (let i = 0; i < values.length; i++) {
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

/** A component that may have no error at all still must not make the norm infinite. */
const SMALLEST_TOLERATED = 1e-300;

function weight(tolerated: number): number {
  return 1 / Math.max(tolerated, SMALLEST_TOLERATED);
}

/** The first step is such that the Euler step changes the solution by this part of its scale (Hairer, Norsett, Wanner I, II.4). */
const EULER_SHARE = 0.01;
/** Where the scale of the solution or its derivative is below this, it says nothing. */
const NEGLIGIBLE = 1e-5;
/** The step for a solution that says nothing about its scale, as part of the interval. */
const BLIND_SHARE = 1e-6;

/**
 * A first step for a method of order `order`, after Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I,
 * II.4: from the sizes of y, y' and an estimate of y'' so that the local error is about `target` of the tolerance.
 * `slope` holds f(t, y); `trial` and `probe` are overwritten.
 */
export function initialStep(
  system: OdeSystem,
  t: number,
  y: Float64Array,
  slope: Float64Array,
  weights: ErrorWeights,
  order: number,
  target: number,
  interval: number,
  trial: Float64Array,
  probe: Float64Array,
): number {
  const n = system.n;
  const size = weights.norm(y);
  const speed = weights.norm(slope);
  let h = size < NEGLIGIBLE || speed < NEGLIGIBLE ? BLIND_SHARE * interval : EULER_SHARE * (size / speed);
  h = Math.min(h, interval);
  for (let attempt = 0; attempt < PROBES; attempt++) {
    for (let i = 0; i < n; i++) trial[i] = y[i]! + h * slope[i]!;
    if (system.rhs(t + h, trial, probe)) {
      for (let i = 0; i < n; i++) trial[i] = probe[i]! - slope[i]!;
      const curvature = weights.norm(trial) / h;
      if (Number.isFinite(curvature)) {
        const largest = Math.max(speed, curvature);
        const byError =
          largest <= 1e-15
            ? Math.max(BLIND_SHARE * interval, 1e-3 * h)
            : (target / curvatureOr(curvature, speed, order)) ** (1 / (order + 1));
        return Math.min(100 * h, byError, interval);
      }
    }
    h *= 0.1;
  }
  return h;
}

/** How often a first step is shortened because the right-hand side cannot be evaluated at its end. */
const PROBES = 8;

/** At order 1 the error is known to come from y''; at higher orders y' is the more cautious measure where it is larger. */
function curvatureOr(curvature: number, speed: number, order: number): number {
  return order === 1 ? Math.max(curvature, 1e-15) : Math.max(speed, curvature);
}
