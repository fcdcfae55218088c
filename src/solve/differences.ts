/**
 * The Jacobian df/dy by differences, where the system gives none; columns that share no row are moved together (`collections/pattern.ts`).
 *
 * Where the pattern is but a bound, all that is needed of it is *learned*: the columns are moved one group of the bound after the other, and
 * what changes is the pattern. It belongs to the point where it was learned: a branch may read other components elsewhere, and a product may
 * have been zero. So every Jacobian is compared with what moving all components together does; where it does not show that, the
 * pattern is learned again there, and grows. What a comparison cannot see is too small to matter to Newton's method, whose
 * convergence is all that a Jacobian decides.
 */
import { colour, compressed, type SparsePattern } from '../collections/pattern.ts';
import type { OdeJacobian, OdeSystem, SolverStatistics } from './integrator.ts';
import { densePattern } from './sparse.ts';

/** Relative change of a component in a difference quotient: the square root of the unit roundoff. */
const DIFFERENCE = 1.4901161193847656e-8;
/** A component near zero is moved as if it had this part of its nominal value: over less, rounding errors of f are all that is seen, and a column is noise. */
const SMALLEST = 1e-3;
/** Of the sizes of what a row is summed up from: a larger difference is something that the pattern lacks. */
const LACKING = 1e-3;
/** A pattern of more than this part of its bound is not worth learning. */
const WORTHWHILE = 0.25;

/**
 * A Jacobian by forward differences. `weights` are the reciprocals of the tolerated errors and give the scale
 * of components near zero, and `nominal` their nominal values, where these are known.
 */
export function differenceJacobian(
  system: OdeSystem,
  weights: { readonly values: Float64Array },
  statistics: SolverStatistics,
  nominal: (component: number) => number = () => 0,
): OdeJacobian {
  const bound = system.pattern ?? densePattern(system.n);
  const differences = new Differences(system, weights, statistics, nominal);
  return system.loose
    ? new LearnedJacobian(system, bound, differences)
    : new KnownJacobian(system, bound, differences);
}

/** The pattern is known; it may be another one after an event. */
class KnownJacobian implements OdeJacobian {
  private groups: readonly Int32Array[];

  constructor(
    private readonly system: OdeSystem,
    public pattern: SparsePattern,
    private readonly differences: Differences,
  ) {
    this.groups = independentColumns(pattern);
  }

  prepare(): boolean {
    const { pattern = this.pattern } = this.system;
    if (pattern === this.pattern) return true;
    this.pattern = pattern;
    this.groups = independentColumns(pattern);
    return true;
  }

  evaluate(t: number, y: Float64Array, values: Float64Array): boolean {
    const { differences, pattern, groups } = this;
    return differences.begin(t, y) && differences.columns(pattern, groups, values);
  }
}

interface LearnedState {
  readonly isLearned: boolean;
  /** Undefined where it is the bound. */
  readonly pattern: SparsePattern | undefined;
  readonly random: number;
}

class LearnedJacobian implements OdeJacobian {
  pattern: SparsePattern;
  private boundGroups: readonly Int32Array[];
  private groups: readonly Int32Array[];
  private values = new Float64Array(0);
  private isLearned = false;

  constructor(
    private readonly system: OdeSystem,
    private bound: SparsePattern,
    private readonly differences: Differences,
  ) {
    this.pattern = bound;
    this.boundGroups = independentColumns(bound);
    this.groups = this.boundGroups;
  }

  prepare(t: number, y: Float64Array): boolean {
    const { differences } = this;
    this.follow();
    if (!differences.begin(t, y)) return false;
    if (!this.isLearned) return this.learn();
    if (!differences.columns(this.pattern, this.groups, this.values)) return false;
    if (this.pattern === this.bound) return true;
    const lacks = differences.lacks(this.pattern, this.values);
    return lacks === undefined ? false : lacks ? this.learn() : true;
  }

  /** Where the bound is another one, what was learned counts no more. */
  private follow(): void {
    const { pattern: bound = this.bound } = this.system;
    if (bound === this.bound) return;
    this.bound = bound;
    this.boundGroups = independentColumns(bound);
    this.isLearned = false;
    this.take(undefined);
  }

  evaluate(_t: number, _y: Float64Array, values: Float64Array): boolean {
    values.set(this.values);
    return true;
  }

  state(): LearnedState {
    const { isLearned, pattern, bound, differences } = this;
    return { isLearned, pattern: pattern === bound ? undefined : pattern, random: differences.random };
  }

  resume({ isLearned, pattern, random }: LearnedState): void {
    this.isLearned = isLearned;
    this.take(pattern);
    this.differences.random = random;
  }

  /** A pattern that is worth while, or the bound. */
  private take(learned: SparsePattern | undefined): void {
    this.pattern = learned ?? this.bound;
    this.groups = learned ? independentColumns(learned) : this.boundGroups;
    this.values = new Float64Array(this.pattern.rows.length);
  }

  /** The pattern at the present point, and what was known of it. */
  private learn(): boolean {
    const found = this.differences.nonzeros(this.bound, this.boundGroups);
    if (!found) return false;
    const union = this.isLearned ? joined(this.pattern, found) : found;
    this.isLearned = true;
    this.take(union.rows.length < WORTHWHILE * this.bound.rows.length ? union : undefined);
    return this.differences.columns(this.pattern, this.groups, this.values);
  }
}

/** Difference quotients at one point. */
class Differences {
  private t = 0;
  private y: Float64Array;
  private readonly base: Float64Array;
  private readonly moved: Float64Array;
  private readonly slope: Float64Array;
  private readonly changes: Float64Array;
  /** The state of a generator of pseudo-random numbers (Numerical Recipes, section 7.1). */
  random = 1;

  constructor(
    private readonly system: OdeSystem,
    private readonly weights: { readonly values: Float64Array },
    private readonly statistics: SolverStatistics,
    private readonly nominal: (component: number) => number,
  ) {
    const { n } = system;
    this.y = new Float64Array(n);
    this.base = new Float64Array(n);
    this.moved = new Float64Array(n);
    this.slope = new Float64Array(n);
    this.changes = new Float64Array(n);
  }

  /** The point at which all else is asked. False, here and elsewhere, where f cannot be evaluated. */
  begin(t: number, y: Float64Array): boolean {
    this.t = t;
    this.y = y;
    this.moved.set(y);
    this.statistics.evaluations++;
    return this.system.rhs(t, y, this.base);
  }

  /** The nonzeros of a pattern. */
  columns({ starts, rows }: SparsePattern, groups: readonly Int32Array[], values: Float64Array): boolean {
    const { base, slope, changes } = this;
    for (const group of groups) {
      if (!this.moveTogether(group)) return false;
      for (const j of group) {
        const inverse = 1 / changes[j]!;
        for (let k = starts[j]!; k < starts[j + 1]!; k++)
          values[k] = (slope[rows[k]!]! - base[rows[k]!]!) * inverse;
      }
    }
    return true;
  }

  /** The part of a pattern that is not zero here. */
  nonzeros({ n, starts, rows }: SparsePattern, groups: readonly Int32Array[]): SparsePattern | undefined {
    const { base, slope } = this;
    const found: Int32Array[] = new Array(n).fill(none);
    for (const group of groups) {
      if (!this.moveTogether(group)) return undefined;
      for (const j of group)
        found[j] = rows.subarray(starts[j]!, starts[j + 1]!).filter((i) => slope[i] !== base[i]);
    }
    return compressed(found);
  }

  /** Whether moving all components does something that a Jacobian does not show. */
  lacks({ n, starts, rows }: SparsePattern, values: Float64Array): boolean | undefined {
    const { base, slope, changes, moved, y } = this;
    for (let j = 0; j < n; j++) this.move(j, this.factor());
    this.statistics.evaluations++;
    const known = this.system.rhs(this.t, moved, slope);
    moved.set(y);
    if (!known) return undefined;
    const predicted = new Float64Array(n);
    const size = new Float64Array(n);
    for (let j = 0; j < n; j++)
      for (let k = starts[j]!; k < starts[j + 1]!; k++) {
        const part = values[k]! * changes[j]!;
        predicted[rows[k]!]! += part;
        size[rows[k]!]! += Math.abs(part);
      }
    for (let i = 0; i < n; i++) {
      const rounding = 8 * Number.EPSILON * (Math.abs(base[i]!) + Math.abs(slope[i]!));
      if (Math.abs(slope[i]! - base[i]! - predicted[i]!) > LACKING * size[i]! + rounding) return true;
    }
    return false;
  }

  private moveTogether(group: Int32Array): boolean {
    const { moved, y } = this;
    for (const j of group) this.move(j, 1);
    this.statistics.evaluations++;
    const known = this.system.rhs(this.t, moved, this.slope);
    for (const j of group) moved[j] = y[j]!;
    return known;
  }

  private move(j: number, factor: number): void {
    const { y, base, moved, changes } = this;
    const size = Math.max(Math.abs(y[j]!), 1 / this.weights.values[j]!, SMALLEST * this.nominal(j));
    moved[j] = y[j]! + (base[j]! < 0 ? -factor : factor) * DIFFERENCE * size;
    changes[j] = moved[j]! - y[j]!;
  }

  /** From 0.5 to 1, so that what components do does not cancel. */
  private factor(): number {
    this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0;
    return 0.5 + this.random / 2 ** 33;
  }
}

const none = new Int32Array(0);

/** The nonzeros of either pattern. */
function joined(a: SparsePattern, b: SparsePattern): SparsePattern {
  return compressed(
    Array.from({ length: a.n }, (_, j) => {
      const rows = new Set(a.rows.subarray(a.starts[j]!, a.starts[j + 1]!));
      for (const row of b.rows.subarray(b.starts[j]!, b.starts[j + 1]!)) rows.add(row);
      return Int32Array.from(rows).sort();
    }),
  );
}

/** Groups of columns without a common row. */
const independentColumns = (pattern: SparsePattern): Int32Array[] =>
  colour(pattern, new Int32Array(pattern.n).keys());
