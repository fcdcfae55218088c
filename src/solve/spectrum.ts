/**
 * How fast a system can move, whether or not anything in it does at present: the eigenvalue of df/dy that is largest by its absolute value, by power iteration on the
 * right-hand side alone (as explicit methods for stiff problems do: B. P. Sommeijer, L. F. Shampine, J. G. Verwer, RKC, J. Comput. Appl. Math. 88, 1998). Sizes are
 * measured by the tolerances, and what is added to y has the size of one.
 */
import type { OdeSystem, SolverStatistics, Tolerances } from './integrator.ts';
import { ErrorWeights } from './norm.ts';

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
  let before = direction;
  let growth = 0;
  let growthBefore = 0;
  for (let k = 0; k < POWERS; k++) {
    const size = weights.norm(direction);
    if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return undefined;
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) trial[i] = y[i]! + direction[i]! / size;
    statistics.evaluations++;
    if (!system.rhs(t, trial, next)) return undefined;
    for (let i = 0; i < n; i++) next[i] = next[i]! - slope[i]!;
    growthBefore = growth;
    growth = weights.norm(next);
    if (k < POWERS - 1) before = direction;
    direction = next;
  }
  const radius = Math.sqrt(growth * growthBefore);
  return Number.isFinite(radius)
    ? { radius, oscillates: cosine(before, direction, weights) < OPPOSITE }
    : undefined;
}

function cosine(a: Float64Array, b: Float64Array, { values }: ErrorWeights): number {
  let product = 0;
  let ofA = 0;
  let ofB = 0;
  for (let i = 0; i < a.length; i++) {
    const u = a[i]! * values[i]!;
    const v = b[i]! * values[i]!;
    product += u * v;
    ofA += u * u;
    ofB += v * v;
  }
  return product / Math.sqrt(ofA * ofB);
}
