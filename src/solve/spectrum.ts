/**
 * How fast a system can move, whether or not anything in it does at present: the eigenvalue of df/dy that is largest by its absolute value, by power iteration on the
 * right-hand side alone (as explicit methods for stiff problems do: B. P. Sommeijer, L. F. Shampine, J. G. Verwer, RKC, J. Comput. Appl. Math. 88, 1998). Sizes are
 * measured by the tolerances, and what is added to y has the size of one.
 */
import type { OdeSystem, SolverStatistics, Tolerances } from './integrator.ts';
import { ErrorWeights } from './norm.ts';

/** It is looked at before the first step, again after so many of them, and then each time after twice as many, up to the second number. */
const STEPS_TO_LOOK = 100;
const MOST_TO_LOOK = 1000;

/** Products with df/dy. The last two say what is wanted, those before them bring the direction there. */
const POWERS = 8;
/** A direction v oscillates where the cosine between it and J J v is below this: -1 for pairs of imaginary eigenvalues, 1 for real ones. */
const OPPOSITE = -0.5;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export interface Fastest {
  /** The absolute value, as far as so few powers find it: mostly nine tenths of it or more. */
  readonly radius: number;
  /** Whether it is the frequency of an oscillation that hardly fades or grows. */
  readonly oscillates: boolean;
  /** As a pair of complex eigenvalues; undefined for real ones. */
  readonly pair: { readonly re: number; readonly im: number } | undefined;
  /** The component that moves most. */
  readonly component: number;
}

/** The fastest motion along a run, as far as it is known. */
export class Looks {
  /** The state, as a value: what was found last, and when to look again. */
  now: { readonly found: Fastest | undefined; readonly after: number; readonly steps: number } = {
    found: undefined,
    after: STEPS_TO_LOOK,
    steps: 0,
  };

  constructor(
    private readonly system: OdeSystem,
    private readonly tolerances: Tolerances,
    private readonly statistics: SolverStatistics,
  ) {}

  /** Before so many steps at which nothing is looked at yet. */
  pass(steps: number): void {
    if (steps > 0) this.now = { ...this.now, steps: this.now.steps - steps };
  }

  /** Before a step. */
  look(t: number, y: Float64Array): void {
    const { found, after, steps } = this.now;
    if (steps > 0) {
      this.now = { found, after, steps: steps - 1 };
      return;
    }
    const { system, tolerances, statistics } = this;
    this.now = {
      found: system.n < 2 ? undefined : fastest(system, tolerances, t, y, statistics),
      after: Math.min(2 * after, MOST_TO_LOOK),
      steps: after,
    };
  }
}

/** Undefined where f cannot be evaluated around y, and where nothing depends on anything. */
export function fastest(
  system: OdeSystem,
  tolerances: Tolerances,
  t: number,
  y: Float64Array,
  statistics: SolverStatistics,
): Fastest | undefined {
  const { n } = system;
  const weights = new ErrorWeights(n, tolerances);
  weights.update(y);
  const slope = new Float64Array(n);
  const trial = new Float64Array(n);
  statistics.evaluations++;
  if (!system.rhs(t, y, slope)) return undefined;
  // All bits of each share are in use, so that no mode is left out.
  let direction = Float64Array.from(y, (_, i) => (((i + 1) * GOLDEN) % 1) - 0.5);
  for (let i = 0; i < n; i++) direction[i] = direction[i]! / weights.values[i]!;
  let [before, between] = [direction, direction];
  let growth = 0;
  let growthBefore = 0;
  for (let k = 0; k < POWERS; k++) {
    const size = weights.norm(direction);
    if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return undefined;
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      direction[i] = direction[i]! / size;
      trial[i] = y[i]! + direction[i]!;
    }
    statistics.evaluations++;
    if (!system.rhs(t, trial, next)) return undefined;
    for (let i = 0; i < n; i++) next[i] = next[i]! - slope[i]!;
    growthBefore = growth;
    growth = weights.norm(next);
    [before, between, direction] = [between, direction, next];
  }
  const radius = Math.sqrt(growth * growthBefore);
  if (!Number.isFinite(radius)) return undefined;
  return {
    radius,
    oscillates: cosine(before, direction, weights) < OPPOSITE,
    pair: pairOf(before, between, direction, growthBefore, weights),
    component: weights.worst(between),
  };
}

/**
 * The eigenvalues of J on the plane of a direction u and of v = J u / r, where w = J v: those of w = a v + b r u, with a and b by least squares. A pair
 * of complex ones or nothing.
 */
function pairOf(
  u: Float64Array,
  v: Float64Array,
  w: Float64Array,
  r: number,
  weights: ErrorWeights,
): Fastest['pair'] {
  const [uu, uv, vv] = [product(u, u, weights), product(u, v, weights), product(v, v, weights)];
  const [uw, vw] = [product(u, w, weights), product(v, w, weights)];
  const determinant = uu * vv - uv * uv;
  const a = (vw * uu - uw * uv) / determinant;
  const b = (uw * vv - vw * uv) / determinant;
  const square = (a * a) / 4 + b * r;
  return square < 0 ? { re: a / 2, im: Math.sqrt(-square) } : undefined;
}

function product(a: Float64Array, b: Float64Array, { values }: ErrorWeights): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * values[i]! * (b[i]! * values[i]!);
  return sum;
}

function cosine(a: Float64Array, b: Float64Array, weights: ErrorWeights): number {
  return product(a, b, weights) / Math.sqrt(product(a, a, weights) * product(b, b, weights));
}
