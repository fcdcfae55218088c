/**
 * How integrators measure errors: the root mean square of the components, each divided by what is tolerated of it,
 * relative * |y| + absolute. A value of one is just acceptable.
 */
import { pow } from './math';
import { System } from './system';
import { get, set, Vector } from './vector';

/** A component that may have no error at all still must not make the norm infinite. */
const SMALLEST_TOLERATED = 1e-300;

/** Keeps the weights up to date with the solution. */
export function updateWeights(system: System, y: Vector): void {
  const weights = system.weights;
  const absolute = system.absolute;
  const relative = system.relative;
  const n = system.length;
  for (let i = 0; i < n; i++)
    set(weights, i, 1 / max(relative * abs(get(y, i)) + get(absolute, i), SMALLEST_TOLERATED));
}

/** Norms are those of states. */
export function norm(system: System, v: Vector): f64 {
  const weights = system.weights;
  const n = system.n;
  let sum: f64 = 0;
  for (let i = 0; i < n; i++) {
    const scaled = get(v, i) * get(weights, i);
    sum += scaled * scaled;
  }
  return n === 0 ? 0 : sqrt(sum / n);
}

/** Takes note of the component that contributes most to the norm; one that is not finite before all others. */
export function noteWorst(system: System, v: Vector): void {
  const weights = system.weights;
  const n = system.n;
  let largest: f64 = -1;
  system.worst = 0;
  for (let i = 0; i < n; i++) {
    const size = abs(get(v, i) * get(weights, i));
    if (!Number.isFinite(size)) {
      system.worst = i;
      return;
    }
    if (size > largest) {
      largest = size;
      system.worst = i;
    }
  }
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
 * one the error is that of y''; at higher orders, where y'' says less, y' counts as well. `interval` is the longest step that makes sense, `trial` and `probe` are
 * scratch memory.
 */
export function initialStep(
  system: System,
  t: f64,
  y: Vector,
  slope: Vector,
  interval: f64,
  trial: Vector,
  probe: Vector,
  order: i32,
  target: f64,
): f64 {
  const n = system.n;
  const longest = Number.isFinite(interval) ? interval : max(1, abs(t));
  const size = norm(system, y);
  const speed = norm(system, slope);
  const blind = size < NEGLIGIBLE || speed < NEGLIGIBLE;
  let h = min(longest, blind ? BLIND_SHARE * longest : (EULER_SHARE * size) / speed);
  for (let attempt = 0; attempt < PROBES; attempt++) {
    for (let i = 0; i < n; i++) set(trial, i, get(y, i) + h * get(slope, i));
    if (system.evaluate(t + h, trial, probe)) {
      for (let i = 0; i < n; i++) set(trial, i, get(probe, i) - get(slope, i));
      const curvature = norm(system, trial) / h;
      if (Number.isFinite(curvature)) {
        const measure = order === 1 ? curvature : max(curvature, speed);
        const byError = measure > 0 ? pow(target / measure, 1 / <f64>(order + 1)) : longest;
        return min(min(TRUST * h, byError), longest);
      }
    }
    h *= 0.1;
  }
  return h;
}
