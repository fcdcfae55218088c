/**
 * A small notation for tests: a `Tree` is an expression as plain data, that can be built with or without simplifying and
 * has an evaluator of its own (with dual numbers), independent of the code under test.
 */
import * as fc from 'fast-check';
import type { Expr, Op } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

export type Tree = number | string | readonly [Op, ...Tree[]];

export const names = ['x', 'y', 'z'];

/** Variables are x, y, z = ref(0), ref(1), ref(2), and t = time. */
export function leafOf(pool: Pool, name: string): Expr {
  if (name === 't') return pool.time;
  return pool.ref(names.indexOf(name));
}

export function built(pool: Pool, tree: Tree, simplified: boolean): Expr {
  if (typeof tree === 'number') return pool.const(tree);
  if (typeof tree === 'string') return leafOf(pool, tree);
  const [op, ...rest] = tree;
  const args = rest.map((arg) => built(pool, arg, simplified));
  return simplified ? pool.apply(op, ...args) : pool.raw(op, args);
}

/** Value and derivative along a direction. */
export interface Dual {
  readonly v: number;
  readonly d: number;
}

const chain = (a: Dual, v: number, slope: number): Dual => ({ v, d: a.d === 0 ? 0 : slope * a.d });

export function dual(tree: Tree, of: (name: string) => Dual): Dual {
  if (typeof tree === 'number') return { v: tree, d: 0 };
  if (typeof tree === 'string') return of(tree);
  const [op, ...rest] = tree;
  if (op === 'if') return dual(dual(rest[0]!, of).v !== 0 ? rest[1]! : rest[2]!, of);
  const [a, b] = rest.map((arg) => dual(arg, of)) as [Dual, Dual];
  return dualApply(op, a, b);
}

export function dualApply(op: Op, a: Dual, b: Dual): Dual {
  const bool = (value: boolean): Dual => ({ v: value ? 1 : 0, d: 0 });
  switch (op) {
    case 'add':
      return { v: a.v + b.v, d: a.d + b.d };
    case 'sub':
      return { v: a.v - b.v, d: a.d - b.d };
    case 'mul':
      return { v: a.v * b.v, d: a.d * b.v + a.v * b.d };
    case 'div':
      return { v: a.v / b.v, d: a.d / b.v - (a.v * b.d) / (b.v * b.v) };
    case 'neg':
      return { v: -a.v, d: -a.d };
    case 'pow': {
      const byBase = a.d === 0 ? 0 : b.v * a.v ** (b.v - 1) * a.d;
      const byExponent = b.d === 0 ? 0 : Math.log(a.v) * a.v ** b.v * b.d;
      return { v: a.v ** b.v, d: byBase + byExponent };
    }
    case 'sin':
      return chain(a, Math.sin(a.v), Math.cos(a.v));
    case 'cos':
      return chain(a, Math.cos(a.v), -Math.sin(a.v));
    case 'tan':
      return chain(a, Math.tan(a.v), 1 / Math.cos(a.v) ** 2);
    case 'asin':
      return chain(a, Math.asin(a.v), 1 / Math.sqrt(1 - a.v * a.v));
    case 'acos':
      return chain(a, Math.acos(a.v), -1 / Math.sqrt(1 - a.v * a.v));
    case 'atan':
      return chain(a, Math.atan(a.v), 1 / (1 + a.v * a.v));
    case 'atan2': {
      const square = a.v * a.v + b.v * b.v;
      return { v: Math.atan2(a.v, b.v), d: (b.v * a.d - a.v * b.d) / square };
    }
    case 'sinh':
      return chain(a, Math.sinh(a.v), Math.cosh(a.v));
    case 'cosh':
      return chain(a, Math.cosh(a.v), Math.sinh(a.v));
    case 'tanh':
      return chain(a, Math.tanh(a.v), 1 / Math.cosh(a.v) ** 2);
    case 'exp':
      return chain(a, Math.exp(a.v), Math.exp(a.v));
    case 'log':
      return chain(a, Math.log(a.v), 1 / a.v);
    case 'log10':
      return chain(a, Math.log10(a.v), 1 / (a.v * Math.LN10));
    case 'sqrt':
      return chain(a, Math.sqrt(a.v), 1 / (2 * Math.sqrt(a.v)));
    case 'abs':
      return { v: Math.abs(a.v), d: a.v < 0 ? -a.d : a.d };
    case 'sign':
      return { v: a.v > 0 ? 1 : a.v < 0 ? -1 : 0, d: 0 };
    case 'min':
      return { v: Math.min(a.v, b.v), d: b.v < a.v ? b.d : a.d };
    case 'max':
      return { v: Math.max(a.v, b.v), d: b.v > a.v ? b.d : a.d };
    case 'floor':
      return { v: Math.floor(a.v), d: 0 };
    case 'ceil':
      return { v: Math.ceil(a.v), d: 0 };
    case 'mod':
      return { v: a.v - Math.floor(a.v / b.v) * b.v, d: a.d - Math.floor(a.v / b.v) * b.d };
    case 'rem':
      return { v: a.v - Math.trunc(a.v / b.v) * b.v, d: a.d - Math.trunc(a.v / b.v) * b.d };
    case 'idiv':
      return { v: Math.trunc(a.v / b.v), d: 0 };
    case 'lt':
      return bool(a.v < b.v);
    case 'le':
      return bool(a.v <= b.v);
    case 'gt':
      return bool(a.v > b.v);
    case 'ge':
      return bool(a.v >= b.v);
    case 'eq':
      return bool(a.v === b.v);
    case 'ne':
      return bool(a.v !== b.v);
    case 'and':
      return bool(a.v !== 0 && b.v !== 0);
    case 'or':
      return bool(a.v !== 0 || b.v !== 0);
    case 'not':
      return bool(a.v === 0);
    case 'noEvent':
    case 'homotopy':
      return a;
    case 'smooth':
      return b;
    default:
      throw new Error(`no dual rule for ${op}`);
  }
}

const numbers = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 0.5, 3, -2, 10),
  fc.double({ min: -5, max: 5, noNaN: true, noDefaultInfinity: true }).map((v) => Math.round(v * 64) / 64),
);

/** Random trees of Real value, without steps (`floor`, `mod`) where `smooth` is asked for. */
export function trees(smooth: boolean): fc.Arbitrary<Tree> {
  const unary: Op[] = [
    'neg',
    'sin',
    'cos',
    'exp',
    'tanh',
    'atan',
    'sqrt',
    'log',
    'abs',
    'sinh',
    'cosh',
    'tan',
  ];
  const binary: Op[] = ['add', 'sub', 'mul', 'div', 'add', 'sub', 'mul', 'min', 'max', 'atan2', 'pow'];
  if (!smooth) {
    unary.push('floor', 'ceil', 'sign');
    binary.push('mod', 'rem', 'idiv');
  }
  const { real } = fc.letrec<{ real: Tree; bool: Tree }>((tie) => ({
    real: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      { arbitrary: fc.constantFrom('x', 'y', 'z'), weight: 3 },
      { arbitrary: numbers, weight: 2 },
      {
        arbitrary: fc.tuple(fc.constantFrom(...binary), tie('real'), tie('real')) as fc.Arbitrary<Tree>,
        weight: 6,
      },
      { arbitrary: fc.tuple(fc.constantFrom(...unary), tie('real')) as fc.Arbitrary<Tree>, weight: 3 },
      {
        arbitrary: fc.tuple(fc.constant('if' as const), tie('bool'), tie('real'), tie('real')),
        weight: 1,
      },
    ),
    bool: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.tuple(
        fc.constantFrom<Op>('lt', 'le', 'gt', 'ge'),
        fc.constantFrom('x', 'y', 'z'),
        numbers,
      ) as fc.Arbitrary<Tree>,
      fc.tuple(fc.constantFrom<Op>('and', 'or'), tie('bool'), tie('bool')) as fc.Arbitrary<Tree>,
      fc.tuple(fc.constant<Op>('not'), tie('bool')) as fc.Arbitrary<Tree>,
    ),
  }));
  return real;
}

/** Values on a grid, so that products do not underflow. */
export const values = fc
  .tuple(...names.map(() => fc.double({ min: -3, max: 3, noNaN: true, noDefaultInfinity: true })))
  .map((all) => all.map((v) => Math.round(v * 2 ** 20) / 2 ** 20));

/** A value with a bound of its rounding error. */
export interface Bounded {
  readonly v: number;
  readonly e: number;
}

/**
 * The value of a tree in double arithmetic with a running (first-order) bound of its rounding error. The bound is
 * infinite where anything is not finite or where a step could be taken on the other side.
 */
export function bounded(tree: Tree, of: (name: string) => number): Bounded {
  if (typeof tree === 'number') return { v: tree, e: 0 };
  if (typeof tree === 'string') return { v: of(tree), e: 0 };
  const [op, ...rest] = tree;
  if (op === 'if') return bounded(bounded(rest[0]!, of).v !== 0 ? rest[1]! : rest[2]!, of);
  const [a, b = { v: 0, e: 0 }] = rest.map((arg) => bounded(arg, of)) as [Bounded, Bounded | undefined];
  const still = (x: Bounded): Dual => ({ v: x.v, d: 0 });
  const moving = (x: Bounded): Dual => ({ v: x.v, d: 1 });
  const v = dualApply(op, still(a), still(b)).v;
  if (!Number.isFinite(v) || !Number.isFinite(a.e) || !Number.isFinite(b.e))
    return { v, e: Number.POSITIVE_INFINITY };
  // The branch cut of atan2 tells +0 from -0, which simplification may exchange.
  if (op === 'atan2' && b.v <= 0 && Math.abs(a.v) < 1e-9) return { v, e: Number.POSITIVE_INFINITY };
  if (op === 'min' || op === 'max') return { v, e: Math.max(a.e, b.e) };
  if (isStep(op)) {
    const quotient = op === 'floor' || op === 'ceil' || op === 'sign' ? a.v : a.v / b.v;
    const gap = Math.abs(quotient - Math.round(quotient));
    const exact = a.e === 0 && b.e === 0 && gap === 0;
    if (!exact && gap < 1e-6) return { v, e: Number.POSITIVE_INFINITY };
  }
  const byA = a.e === 0 ? 0 : Math.abs(dualApply(op, moving(a), still(b)).d) * a.e;
  const byB = b.e === 0 ? 0 : Math.abs(dualApply(op, still(a), moving(b)).d) * b.e;
  const e = byA + byB + 4 * Number.EPSILON * Math.abs(v);
  return { v, e: Number.isNaN(e) ? Number.POSITIVE_INFINITY : e };
}

function isStep(op: Op): boolean {
  return ['floor', 'ceil', 'sign', 'mod', 'rem', 'idiv'].includes(op);
}

export function fresh(): { pool: Pool; x: Expr; y: Expr; z: Expr; t: Expr; n: (value: number) => Expr } {
  const pool = new Pool();
  return {
    pool,
    x: pool.ref(0),
    y: pool.ref(1),
    z: pool.ref(2),
    t: pool.time,
    n: (value) => pool.const(value),
  };
}
