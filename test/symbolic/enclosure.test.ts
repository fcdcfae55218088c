/** Ranges contain what they must: values and slopes of random expressions at random points of a piece. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Enclosure } from '../../src/symbolic/enclosure.ts';
import { evaluateIn } from '../../src/symbolic/evaluate.ts';
import type { Expr, ScalarOp } from '../../src/symbolic/expr.ts';
import { rangeRule } from '../../src/symbolic/intervals.ts';
import { Pool } from '../../src/symbolic/pool.ts';
import { runsOf } from '../runs.ts';

const pool = new Pool();
const { time } = pool;
const unary: ScalarOp[] =
  'neg sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign floor ceil'.split(
    ' ',
  ) as ScalarOp[];
const binary: ScalarOp[] = 'add sub mul div pow atan2 min max idiv mod rem'.split(' ') as ScalarOp[];

const value = (expr: Expr, t: number): number =>
  Number(evaluateIn(expr, { leaf: () => t, call: () => Number.NaN, isBoolean: () => false }));

/** What a value is computed from: of branches the one that is taken. */
const taken = (expr: Expr, t: number): Expr[] => {
  if (expr.kind !== 'apply') return [expr];
  const [condition, holds, fails] = expr.args as [Expr, Expr, Expr];
  const used = expr.op === 'if' ? [condition, value(condition, t) ? holds : fails] : expr.args;
  return [expr, ...used.flatMap((arg) => taken(arg, t))];
};

/** Ranges over [a, b] of an expression of time, as they are or as narrow as they can be made. */
function ranges(expr: Expr, a: number, b: number, kind: 'wide' | 'narrow' = 'wide') {
  const enclosure = new Enclosure([expr], () => ({ kind: 'varies', k: 0 }));
  enclosure.begin(() => Number.NaN);
  const one = (v: number) => Float64Array.of(v);
  const piece = { lo: one(a), hi: one(b), from: one(1), to: one(1), low: one(0), high: one(0) };
  const middle = { ...piece, lo: one(0.5 * (a + b)), hi: one(0.5 * (a + b)) };
  if (kind === 'wide') enclosure.evaluate(piece);
  else enclosure.refine(piece, middle, 0.5 * (b - a));
  const node = enclosure.roots[0]!;
  const at = (array: Float64Array) => array[node]!;
  return { lo: at(enclosure.lo), hi: at(enclosure.hi), from: at(enclosure.from), to: at(enclosure.to) };
}

const number = fc.integer({ min: -400, max: 400 }).map((v) => v / 100);
const { tree } = fc.letrec<{ tree: Expr }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Expr>(time),
    fc.oneof(number, fc.integer({ min: -3, max: 4 })).map((v): Expr => pool.const(v)),
    fc.tuple(fc.constantFrom(...unary), tie('tree')).map(([op, a]) => pool.raw(op, [a])),
    fc.tuple(fc.constantFrom(...binary), tie('tree'), tie('tree')).map(([op, a, b]) => pool.raw(op, [a, b])),
    fc
      .tuple(fc.constantFrom<ScalarOp>('lt', 'ge'), tie('tree'), tie('tree'), tie('tree'), tie('tree'))
      .map(([op, a, b, c, d]) => pool.raw('if', [pool.raw(op, [a, b]), c, d])),
  ),
}));

test('every operator on numbers has a rule', () => {
  for (const op of [
    ...unary,
    ...binary,
    'if',
    'lt',
    'le',
    'gt',
    'ge',
    'eq',
    'ne',
    'and',
    'or',
    'not',
  ] as const)
    expect(rangeRule(op), op).toBeDefined();
});

test.each(['wide', 'narrow'] as const)('values and slopes lie in their ranges: %s', (kind) => {
  fc.assert(
    fc.property(tree, number, fc.double({ min: 1e-3, max: 3, noNaN: true }), (expr, a, width) => {
      const { lo, hi, from, to } = ranges(expr, a, a + width, kind);
      const room = 1e-9 * Math.max(1, Math.min(Math.abs(lo), 1e300), Math.min(Math.abs(hi), 1e300));
      let before: { t: number; v: number } | undefined;
      const times = Array.from({ length: 41 }, (_, k) => a + (width * k) / 40);
      // Where a part does not exist somewhere in the piece, nothing is said of the whole.
      const exists = (t: number) => taken(expr, t).every((node) => Number.isFinite(value(node, t)));
      if (!times.every(exists)) return;
      for (const t of times) {
        const v = value(expr, t);
        expect(v).toBeGreaterThanOrEqual(lo - room);
        expect(v).toBeLessThanOrEqual(hi + room);
        if (before) {
          const slope = (v - before.v) / (t - before.t);
          const slack = (room * 80) / width + 1e-9 * Math.abs(slope);
          expect(slope).toBeGreaterThanOrEqual(from - slack);
          expect(slope).toBeLessThanOrEqual(to + slack);
        }
        before = { t, v };
      }
    }),
    { numRuns: runsOf(3000) },
  );
});

describe('ranges are narrow where they can be', () => {
  const of = (op: ScalarOp, ...args: Expr[]) => pool.raw(op, args);
  test.each<[string, Expr, number, number, number, number]>([
    ['a sine within a quarter of a turn', of('sin', time), 0, 1, 0, Math.sin(1)],
    ['a sine over its top', of('sin', time), 1, 2, Math.sin(1), 1],
    ['a sine of many turns', of('sin', of('mul', pool.const(1e6), time)), 0, 1, -1, 1],
    ['a square over zero', of('pow', time, pool.const(2)), -1, 2, 0, 4],
    ['the same factor twice', of('mul', time, time), -1, 2, 0, 4],
    ['a reciprocal', of('div', pool.one, time), 2, 4, 0.25, 0.5],
    ['a magnitude', of('abs', time), -3, 1, 0, 3],
    ['a remainder', of('mod', time, pool.const(2)), 4.5, 5.5, 0.5, 1.5],
  ])('%s', (_name, expr, a, b, lo, hi) => {
    const found = ranges(expr, a, b);
    expect(found.lo).toBeCloseTo(lo, 12);
    expect(found.hi).toBeCloseTo(hi, 12);
  });
});

describe('where terms cancel, ranges become narrow with the square of the piece and faster', () => {
  const of = (op: ScalarOp, ...args: Expr[]) => pool.raw(op, args);
  const square = (expr: Expr) => of('mul', expr, expr);
  const large = pool.const(1e6);
  test.each<[string, Expr]>([
    ['a phasor that turns', of('add', square(of('sin', time)), square(of('cos', time)))],
    [
      'a difference of large terms',
      of(
        'sub',
        of('mul', large, of('exp', time)),
        of('mul', large, of('exp', of('add', time, pool.const(1e-6)))),
      ),
    ],
    ['a quotient', of('div', of('sinh', time), of('exp', time))],
    ['a root', of('sqrt', of('add', pool.one, square(time)))],
    [
      'powers and logarithms',
      of('sub', of('log', of('pow', time, pool.const(3))), of('mul', pool.const(3), of('log', time))),
    ],
    ['bounded functions', of('sub', of('tanh', time), of('atan', time))],
  ])('%s', (_name, expr) => {
    const excess = (width: number): number => {
      const [a, b] = [1 - width / 2, 1 + width / 2];
      const { lo, hi } = ranges(expr, a, b, 'narrow');
      const values = Array.from({ length: 101 }, (_, k) => value(expr, a + (k * width) / 100));
      return hi - lo - (Math.max(...values) - Math.min(...values));
    };
    expect(excess(0.005)).toBeLessThan(0.3 * excess(0.01) + 1e-9);
  });
});
