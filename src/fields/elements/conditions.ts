/**
 * Conditions on the counters of loops, and integers of them that are no affine functions:
 *
 *     if i > 1 then x[i-1] else 0          mod(i, 2) == 0          x[mod(i, n) + 1]
 *
 * A condition that has one value in all turns of the loops decides: the branch that it excludes is not looked at. Where its value changes along
 * a loop, `Cut` says where the loop is cut so that it has one value in each part; so the rows at the boundaries of a family are told apart, and what
 * is between them stays a loop, whatever its size. Of the quotients in `mod`, `rem` and `div` the same is true.
 */
import { countWhile } from '../../collections/lists.ts';
import { holds, isRelation, type RelationOp } from '../../symbolic/arithmetic.ts';
import type { Apply, Expr } from '../../symbolic/expr.ts';
import {
  type Affine,
  type Arrays,
  boundsOf,
  Cut,
  constantIndex,
  isConstant,
  scaled,
  sum,
  Unfit,
} from './affine.ts';
import { Shapes } from './shapes.ts';

/** A value in all turns, where to cut a loop so that there is one, or nothing of the kind. */
export type Decision = boolean | Cut | undefined;

/** Parts of a loop that quotients are worth. */
const mostParts = 16;

export class Conditions extends Shapes {
  /** How many times each loop runs, outermost first; reductions add theirs while they are written. */
  protected readonly extents: number[];

  constructor(arrays: Arrays, extents: readonly number[], iterators: ReadonlyMap<number, Affine>) {
    super(arrays, iterators);
    this.extents = [...extents];
  }

  /** What the counters say of a condition. */
  protected decide(expr: Expr): Decision {
    if (expr.kind === 'const') return expr.value !== 0;
    if (expr.kind === 'ref') {
      const value = expr.order === 0 ? this.arrays.known(expr.symbol) : undefined;
      return value === undefined ? undefined : value !== 0;
    }
    if (expr.kind !== 'apply') return undefined;
    const [a, b] = expr.args as [Expr, Expr];
    switch (expr.op) {
      case 'not': {
        const value = this.decide(a);
        return typeof value === 'boolean' ? !value : value;
      }
      case 'and':
        return either(this.decide(a), () => this.decide(b), false);
      case 'or':
        return either(this.decide(a), () => this.decide(b), true);
      case 'noEvent':
        return this.decide(a);
      case 'eq':
      case 'ne':
        return this.compare(expr.op, a, b);
      default:
        return isRelation(expr.op) ? this.compare(expr.op, a, b) : undefined;
    }
  }

  private compare(op: Relation, a: Expr, b: Expr): Decision {
    let difference: Affine;
    try {
      difference = sum(this.integer(a), scaled(this.integer(b), -1));
    } catch (problem) {
      if (problem instanceof Cut) return problem;
      if (problem instanceof Unfit) return undefined;
      throw problem;
    }
    const { base, strides } = difference;
    // With fractions, rounding might decide otherwise than it does in a loop.
    if (![base, ...strides].every(Number.isSafeInteger)) return undefined;
    if (op === 'eq') return this.isZero(difference);
    if (op === 'ne') {
      const zero = this.isZero(difference);
      return typeof zero === 'boolean' ? !zero : zero;
    }
    const state = (from: Affine): boolean | undefined => {
      const [low, high] = this.bounds(from);
      return holds(op, low) === holds(op, high) ? holds(op, low) : undefined;
    };
    return state(difference) ?? this.boundary(difference, state);
  }

  /** Where a function that is monotone along the loops has another state for the first time. */
  private boundary(value: Affine, state: (value: Affine) => unknown): Cut | undefined {
    for (const depth of this.movingLoops(value)) {
      const from = state(turn(value, depth, 0));
      const last = this.extents[depth]! - 1;
      if (state(turn(value, depth, last)) === from) continue;
      return new Cut(
        depth,
        countWhile(last, (count) => state(turn(value, depth, count)) === from),
      );
    }
    return undefined;
  }

  private isZero(value: Affine): Decision {
    const [low, high] = this.bounds(value);
    if (low > 0 || high < 0) return false;
    if (low === high) return true;
    const loops = this.movingLoops(value);
    const [depth] = loops;
    if (loops.length !== 1) return undefined;
    const at = -value.base / value.strides[depth!]!;
    if (!Number.isInteger(at)) return false;
    return new Cut(depth!, at === 0 ? 1 : at);
  }

  /** Loops along which a value changes. */
  protected movingLoops({ strides }: Affine): number[] {
    return strides.flatMap((stride, k) => (stride !== 0 && this.extents[k]! > 1 ? [k] : []));
  }

  /** Least and greatest value in all turns. */
  protected bounds(value: Affine): [number, number] {
    return boundsOf(value, this.extents);
  }

  // ------------------------------------------------------------------ quotients

  protected override integerOf(expr: Apply): Affine {
    const [a, b, c] = expr.args as [Expr, Expr, Expr];
    switch (expr.op) {
      case 'mod':
        return this.remainder(expr, Math.floor);
      case 'rem':
        return this.remainder(expr, Math.trunc);
      case 'idiv':
        return this.quotient(expr, Math.trunc);
      case 'if':
        return this.integer(this.chosen(this.decide(a), b, c));
      case 'min':
        return this.integer(this.chosen(this.compare('le', a, b), a, b));
      case 'max':
        return this.integer(this.chosen(this.compare('ge', a, b), a, b));
      default:
        return super.integerOf(expr);
    }
  }

  /** The integer that a condition chooses, the same in all turns. */
  private chosen(decision: Decision, then: Expr, otherwise: Expr): Expr {
    if (typeof decision === 'boolean') return decision ? then : otherwise;
    throw decision ?? new Unfit('a subscript is not known');
  }

  private remainder(expr: Apply, round: (x: number) => number): Affine {
    const divisor = this.integer(expr.args[1]!);
    const quotient = this.quotient(expr, round);
    return sum(this.integer(expr.args[0]!), scaled(quotient, -divisor.base));
  }

  /** `a/b`, rounded. Steps of whole multiples of b give whole steps; otherwise the loop is cut where the quotient changes, or into turns that make such steps. */
  private quotient({ args }: Apply, round: (x: number) => number): Affine {
    const a = this.integer(args[0]!);
    const b = this.integer(args[1]!);
    const m = b.base;
    if (!isConstant(b) || m === 0 || ![m, a.base, ...a.strides].every(Number.isSafeInteger))
      throw new Unfit('a subscript is not known');
    const [low, high] = this.bounds(a).map((x) => round(x / m)) as [number, number];
    if (low === high) return constantIndex(low + 0);
    const loops = this.movingLoops(a);
    const whole = loops.every((k) => a.strides[k]! % m === 0);
    // Rounding towards zero is affine on either side of zero.
    if (whole && (round === Math.floor || low >= 0 === high >= 0))
      return { base: round(a.base / m) + 0, strides: a.strides.map((s) => s / m) };
    const [depth] = loops;
    if (loops.length !== 1) throw new Unfit('a subscript is not known');
    if (Math.abs(high - low) < mostParts) throw this.boundary(a, ({ base }) => round(base / m))!;
    const period = Math.abs(m) / gcd(Math.abs(m), Math.abs(a.strides[depth!]!));
    if (period < 2 || period > mostParts) throw new Unfit('a subscript is not known');
    throw new Cut(depth!, 0, period);
  }
}

type Relation = RelationOp | 'eq' | 'ne';

/** The value of `and` (`decisive` is false) or `or` (true). */
function either(a: Decision, second: () => Decision, decisive: boolean): Decision {
  if (a === decisive) return decisive;
  const b = second();
  if (b === decisive) return decisive;
  if (a === b) return a;
  return a instanceof Cut ? a : b instanceof Cut ? b : undefined;
}

/** A value at one count of a loop. */
function turn({ base, strides }: Affine, depth: number, count: number): Affine {
  return {
    base: base + count * strides[depth]!,
    strides: strides.map((stride, k) => (k === depth ? 0 : stride)),
  };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
