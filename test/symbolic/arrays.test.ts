import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/diagnostic/failure.ts';
import { element, type ScalariseContext, scalarise, shapeOf } from '../../src/symbolic/arrays.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr, Op, Ref } from '../../src/symbolic/expr.ts';
import type { FunctionDef } from '../../src/symbolic/function.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** Symbols: 0 s scalar, 1 v[3], 2 w[3], 3 A[2,3], 4 B[3,2], 5 k scalar (a changing index), 6 C[3,3]. */
const dims = [[], [3], [3], [2, 3], [3, 2], [], [3, 3]];
const [S, V, W, A, B, K, C] = [0, 1, 2, 3, 4, 5, 6] as const;
const firsts = [0, 1, 4, 7, 13, 19, 20];

/** A tiny notation: numbers are constants, symbols are refs, arrays are operator applications. */
const pool = new Pool();

/** Its assertion reads both inputs. */
const twoOutputs: FunctionDef = {
  name: 'f',
  locals: [
    { name: 'x', type: 'Real', dims: [3], initial: undefined },
    { name: 's', type: 'Real', dims: [], initial: undefined },
    { name: 'y', type: 'Real', dims: [2], initial: undefined },
    { name: 'z', type: 'Real', dims: [2, 2], initial: undefined },
  ],
  inputs: 2,
  outputs: 2,
  body: [
    {
      kind: 'assert',
      condition: pool.apply('lt', pool.local(0, [pool.const(1)]), pool.local(1)),
      message: pool.text('no'),
      span: undefined,
    },
  ],
  span: undefined,
};

const context: ScalariseContext = {
  functions: [twoOutputs],
  dimsOfSymbol: (symbol) => dims[symbol]!,
  symbolElement: (symbol, index) => firsts[symbol]! + index,
  iterators: new Map(),
};

const n = (value: number): Expr => pool.const(value);
const ref = (symbol: number, ...subscripts: Expr[]): Expr => pool.ref(symbol, 0, subscripts);
const op = (name: Op, ...args: Expr[]): Expr => pool.raw(name, args);
const colon = pool.raw('colon', []);
const range = (a: number, b: number): Expr => op('range', n(a), n(1), n(b));
/** Scalar number k of a symbol, counted from 1. */
const at = (symbol: number, k: number): Expr => pool.ref(firsts[symbol]! + k - 1);

/** The value of every element when scalar symbol i has the value 1 + i/10. */
function numbersOf(expr: Expr): number[] {
  return scalarise(pool, context, expr).map((e) => evaluate(e, (leaf) => 1 + (leaf as Ref).symbol / 10));
}
const x = (symbol: number, k: number): number => 1 + (firsts[symbol]! + k - 1) / 10;

function elements(expr: Expr): Expr[] {
  return scalarise(pool, context, expr);
}

describe('variables and subscripts', () => {
  it('writes whole arrays row by row', () => {
    expect(elements(ref(S))).toEqual([at(S, 1)]);
    expect(elements(ref(V))).toEqual([at(V, 1), at(V, 2), at(V, 3)]);
    expect(elements(ref(A))).toEqual([1, 2, 3, 4, 5, 6].map((k) => at(A, k)));
    expect(elements(pool.ref(V, 1))).toEqual([1, 2, 3].map((k) => pool.ref(firsts[V]! + k - 1, 1)));
    expect(elements(pool.pre(V, [n(2)]))).toEqual([pool.pre(firsts[V]! + 1)]);
  });
  it('takes constants, ranges, vectors and colons', () => {
    expect(elements(ref(V, n(2)))).toEqual([at(V, 2)]);
    expect(elements(ref(A, n(2), n(1)))).toEqual([at(A, 4)]);
    expect(elements(ref(A, colon, n(2)))).toEqual([at(A, 2), at(A, 5)]);
    expect(elements(ref(A, n(2)))).toEqual([at(A, 4), at(A, 5), at(A, 6)]);
    expect(elements(ref(A, n(1), range(2, 3)))).toEqual([at(A, 2), at(A, 3)]);
    expect(elements(ref(V, op('array', n(3), n(1))))).toEqual([at(V, 3), at(V, 1)]);
    expect(shapeOf(pool, context, ref(A, colon, op('array', n(3))))).toEqual([2, 1]);
    expect(shapeOf(pool, context, ref(A, colon, n(3)))).toEqual([2]);
    expect(element(pool, context, ref(A), [2, 3])).toBe(at(A, 6));
    expect(elements(op('subscript', op('transpose', ref(A)), n(3), n(2)))).toEqual([at(A, 6)]);
  });
  it('refuses subscripts outside the array', () => {
    for (const i of [0, 4, 1.5, -1]) expect(() => elements(ref(V, n(i))), String(i)).toThrow(Failure);
    expect(() => elements(ref(V, n(1), n(1)))).toThrow(/2 subscripts on an array of 1/);
  });
  it('chooses at run time, NaN outside', () => {
    const [chosen] = elements(ref(V, ref(K)));
    const value = (k: number): number =>
      evaluate(chosen!, (leaf) => ((leaf as Ref).symbol === firsts[K] ? k : (leaf as Ref).symbol));
    expect([1, 2, 3].map(value)).toEqual([1, 2, 3]);
    expect(value(0)).toBeNaN();
    expect(value(4)).toBeNaN();
    const row = elements(ref(A, ref(K)));
    expect(row.length).toBe(3);
    const second = row.map((e) =>
      evaluate(e, (leaf) => ((leaf as Ref).symbol === firsts[K] ? 2 : (leaf as Ref).symbol)),
    );
    expect(second).toEqual([10, 11, 12]);
  });
});

describe('operators', () => {
  it('work by elements and with scalars', () => {
    expect(numbersOf(op('add', ref(V), ref(W)))).toEqual([1, 2, 3].map((k) => x(V, k) + x(W, k)));
    expect(numbersOf(op('mul', ref(S), ref(A)))).toEqual([1, 2, 3, 4, 5, 6].map((k) => x(S, 1) * x(A, k)));
    expect(numbersOf(op('sin', ref(V)))).toEqual([1, 2, 3].map((k) => Math.sin(x(V, k))));
    expect(elements(op('if', op('lt', ref(S), n(0)), ref(V), n(0)))[2]).toBe(
      pool.if(pool.apply('lt', at(S, 1), n(0)), at(V, 3), n(0)),
    );
    expect(elements(op('sub', ref(V), ref(V)))).toEqual([pool.zero, pool.zero, pool.zero]);
    expect(() => elements(op('add', ref(V), ref(A)))).toThrow(/do not fit/);
  });
  it('multiply as in linear algebra', () => {
    const row = (i: number, k: number): number => x(A, 3 * (i - 1) + k);
    expect(numbersOf(op('matmul', ref(V), ref(W)))).toEqual([
      x(V, 1) * x(W, 1) + x(V, 2) * x(W, 2) + x(V, 3) * x(W, 3),
    ]);
    expect(numbersOf(op('matmul', ref(A), ref(V)))).toEqual(
      [1, 2].map((i) => row(i, 1) * x(V, 1) + row(i, 2) * x(V, 2) + row(i, 3) * x(V, 3)),
    );
    expect(shapeOf(pool, context, op('matmul', ref(A), ref(B)))).toEqual([2, 2]);
    expect(shapeOf(pool, context, op('matmul', ref(V), ref(B)))).toEqual([2]);
    expect(elements(op('matmul', op('identity', n(3)), ref(V)))).toEqual([at(V, 1), at(V, 2), at(V, 3)]);
    expect(() => elements(op('matmul', ref(A), ref(A)))).toThrow(/inner sizes 3 and 2/);
  });
  it('build arrays', () => {
    expect(elements(op('array', ref(V), ref(W)))).toEqual([...elements(ref(V)), ...elements(ref(W))]);
    expect(shapeOf(pool, context, op('array', ref(V), ref(W)))).toEqual([2, 3]);
    expect(elements(op('range', n(1), n(2), n(6)))).toEqual([n(1), n(3), n(5)]);
    expect(elements(op('range', n(3), n(1), n(1)))).toEqual([]);
    expect(elements(op('range', n(0), n(0.1), n(1))).length).toBe(11);
    expect(elements(op('fill', ref(S), n(2), n(2)))).toEqual([at(S, 1), at(S, 1), at(S, 1), at(S, 1)]);
    expect(elements(op('diagonal', op('array', n(5), n(6))))).toEqual([n(5), n(0), n(0), n(6)]);
    expect(elements(op('linspace', n(0), n(1), n(5)))).toEqual([n(0), n(0.25), n(0.5), n(0.75), n(1)]);
    expect(elements(op('transpose', ref(A)))).toEqual([1, 4, 2, 5, 3, 6].map((k) => at(A, k)));
    expect(elements(op('cat', n(1), ref(V), op('array', n(9))))).toEqual([...elements(ref(V)), n(9)]);
    expect(elements(op('cat', n(2), ref(A), op('fill', n(7), n(2), n(1))))).toEqual([
      at(A, 1),
      at(A, 2),
      at(A, 3),
      n(7),
      at(A, 4),
      at(A, 5),
      at(A, 6),
      n(7),
    ]);
    expect(elements(op('symmetric', ref(C)))).toEqual([1, 2, 3, 2, 5, 6, 3, 6, 9].map((k) => at(C, k)));
    expect(elements(op('outerProduct', op('array', n(2), n(3)), op('array', n(5), n(7))))).toEqual(
      [10, 14, 15, 21].map(n),
    );
    expect(elements(op('skew', op('array', n(1), n(2), n(3))))).toEqual(
      [0, -3, 2, 3, 0, -1, -2, 1, 0].map(n),
    );
    expect(elements(op('cross', op('array', n(1), n(2), n(3)), op('array', n(4), n(5), n(6))))).toEqual(
      [-3, 6, -3].map(n),
    );
    expect(shapeOf(pool, context, op('promote', ref(V), n(2)))).toEqual([3, 1]);
    expect(shapeOf(pool, context, op('matrix', ref(V)))).toEqual([3, 1]);
    expect(shapeOf(pool, context, op('vector', op('array', ref(V))))).toEqual([3]);
    expect(elements(op('scalar', op('array', op('array', n(4)))))).toEqual([n(4)]);
  });
  it('reduce', () => {
    expect(numbersOf(op('sum', ref(V)))).toEqual([x(V, 1) + x(V, 2) + x(V, 3)]);
    expect(numbersOf(op('product', ref(V)))).toEqual([x(V, 1) * x(V, 2) * x(V, 3)]);
    expect(numbersOf(op('maxOf', ref(A)))).toEqual([x(A, 6)]);
    expect(numbersOf(op('minOf', ref(A)))).toEqual([x(A, 1)]);
    expect(elements(op('sum', op('array')))).toEqual([pool.zero]);
    expect(elements(op('size', ref(A), n(2)))).toEqual([n(3)]);
    expect(elements(op('size', ref(A)))).toEqual([n(2), n(3)]);
    expect(elements(op('ndims', ref(A)))).toEqual([n(2)]);
  });
  it('iterate', () => {
    const i = pool.iter(0);
    const j = pool.iter(1);
    expect(elements(op('comprehension', op('mul', i, i), i, range(1, 3)))).toEqual([1, 4, 9].map(n));
    expect(elements(op('sumOver', ref(V, i), i, range(2, 3)))).toEqual([pool.add(at(V, 2), at(V, 3))]);
    // {10*i + j for i in 1:2, j in 1:3}: the last iterator is the outer dimension.
    const table = op('comprehension', op('add', op('mul', n(10), i), j), i, range(1, 2), j, range(1, 3));
    expect(shapeOf(pool, context, table)).toEqual([3, 2]);
    expect(elements(table)).toEqual([11, 21, 12, 22, 13, 23].map(n));
    const triangle = op('comprehension', op('sumOver', j, j, op('range', n(1), n(1), i)), i, range(1, 4));
    expect(elements(triangle)).toEqual([1, 3, 6, 10].map(n));
    expect(elements(op('maxOver', op('neg', i), i, range(2, 5)))).toEqual([n(-2)]);
    expect(() => elements(op('sumOver', i, i, op('range', n(1), n(1), ref(S))))).toThrow(/must be known/);
    const inLoop = { ...context, iterators: new Map([[7, 3]]) };
    expect(scalarise(pool, inLoop, ref(V, pool.iter(7)))).toEqual([at(V, 3)]);
  });
});

describe('functions', () => {
  it('hand over elements and count scalar outputs', () => {
    const args = [...elements(ref(V)), at(S, 1)];
    expect(elements(pool.call(0, [ref(V), ref(S)], 0))).toEqual([
      pool.call(0, args, 0),
      pool.call(0, args, 1),
    ]);
    expect(elements(pool.call(0, [ref(V), ref(S)], 1))).toEqual(
      [2, 3, 4, 5].map((k) => pool.call(0, args, k)),
    );
    expect(shapeOf(pool, context, pool.call(0, [ref(V), ref(S)], 1))).toEqual([2, 2]);
    expect(() => elements(pool.call(0, [ref(A), ref(S)], 0))).toThrow(/instead of \[3\]/);
  });
});

// ------------------------------------------------------------------ laws

/** Nested arrays of numbers: the reference evaluator works on them and knows nothing of flat positions. */
type Nested = number | Nested[];
type ArrayTree = { readonly expr: Expr; readonly value: Nested };

function nested(symbol: number): Nested {
  let count = firsts[symbol]!;
  const build = (rest: readonly number[]): Nested =>
    rest.length === 0 ? 1 + count++ / 10 : Array.from({ length: rest[0]! }, () => build(rest.slice(1)));
  return build(dims[symbol]!);
}
const leafTree = (symbol: number): ArrayTree => ({ expr: ref(symbol), value: nested(symbol) });
const zip = (f: (a: number, b: number) => number, a: Nested, b: Nested): Nested => {
  if (typeof a === 'number' && typeof b === 'number') return f(a, b);
  if (typeof a === 'number') return (b as Nested[]).map((item) => zip(f, a, item));
  if (typeof b === 'number') return a.map((item) => zip(f, item, b));
  return a.map((item, k) => zip(f, item, b[k]!));
};
const sizes = (a: Nested): number[] => (typeof a === 'number' ? [] : [a.length, ...sizes(a[0]!)]);
const flat = (a: Nested): number[] => (typeof a === 'number' ? [a] : a.flatMap(flat));
const matrix = (a: Nested): number[][] => a as number[][];

function combine(kind: number, a: ArrayTree, b: ArrayTree): ArrayTree {
  const [p, q] = [sizes(a.value), sizes(b.value)];
  const same = p.join() === q.join();
  switch (kind % 7) {
    case 0:
      if (same || p.length === 0 || q.length === 0) {
        return { expr: op('add', a.expr, b.expr), value: zip((u, v) => u + v, a.value, b.value) };
      }
      break;
    case 1:
      if (same || p.length === 0 || q.length === 0) {
        return { expr: op('mul', a.expr, b.expr), value: zip((u, v) => u * v, a.value, b.value) };
      }
      break;
    case 2:
      if (p.length === 2 && q.length === 2 && p[1] === q[0]) {
        const value = matrix(a.value).map((row) =>
          matrix(b.value)[0]!.map((_, j) => row.reduce((sum, u, k) => sum + u * matrix(b.value)[k]![j]!, 0)),
        );
        return { expr: op('matmul', a.expr, b.expr), value };
      }
      break;
    case 3:
      if (p.length === 2) {
        const value = matrix(a.value)[0]!.map((_, j) => matrix(a.value).map((row) => row[j]!));
        return { expr: op('transpose', a.expr), value };
      }
      break;
    case 4:
      if (same) return { expr: op('array', a.expr, b.expr), value: [a.value, b.value] };
      break;
    case 5:
      if (p.length > 0) {
        return { expr: op('subscript', a.expr, n(p[0]!)), value: (a.value as Nested[])[p[0]! - 1]! };
      }
      break;
    default:
      return { expr: op('sum', a.expr), value: flat(a.value).reduce((u, v) => u + v, 0) };
  }
  return a;
}

it('agrees with nested arrays', () => {
  const choices = fc.array(fc.tuple(fc.nat(6), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(choices, (steps) => {
      const trees = [S, V, W, A, B, C].map(leafTree);
      for (const [kind, i, j] of steps) {
        trees.push(combine(kind, trees[i % trees.length]!, trees[(i + j) % trees.length]!));
      }
      const { expr, value } = trees[trees.length - 1]!;
      expect(shapeOf(pool, context, expr)).toEqual(sizes(value));
      const expected = flat(value);
      numbersOf(expr).forEach((v, k) => {
        expect(Math.abs(v - expected[k]!)).toBeLessThanOrEqual(1e-12 * (1 + Math.abs(expected[k]!)));
      });
    }),
    { numRuns: 1000 },
  );
});

it('takes sums of 100,000 terms', () => {
  let sum: Expr = pool.ref(S);
  for (let k = 0; k < 100_000; k++) sum = pool.raw('add', [sum, n(k)]);
  expect(elements(sum)).toEqual([pool.add(at(S, 1), n((99_999 * 100_000) / 2))]);
});
