import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Derivative, gradient, partial, timeDerivative } from '../../src/symbolic/differentiate.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr, Op, Ref } from '../../src/symbolic/expr.ts';
import type {
  FunctionDef,
  FunctionLocal,
  FunctionStatement,
  ValueType,
} from '../../src/symbolic/function.ts';
import { Interpreter } from '../../src/symbolic/functions.ts';
import { inlined } from '../../src/symbolic/inline.ts';
import { lowerFunctions } from '../../src/symbolic/lower.ts';
import { Pool } from '../../src/symbolic/pool.ts';
import { Tangents } from '../../src/symbolic/tangent.ts';

/** A small notation for functions. */
const pool = new Pool();
const n = (value: number): Expr => pool.const(value);
const v = (index: number, ...subscripts: Expr[]): Expr => pool.local(index, subscripts);
const op = (name: Op, ...args: Expr[]): Expr => pool.raw(name, args);
const range = (a: Expr, b: Expr): Expr => op('range', a, n(1), b);
const colon = op('colon');
const set = (target: Expr, value: Expr): FunctionStatement => ({
  kind: 'assign',
  target,
  value,
  span: undefined,
});
const loop = (iterator: number, over: Expr, ...body: FunctionStatement[]): FunctionStatement => ({
  kind: 'for',
  iterator,
  range: over,
  body,
});
const local = (
  name: string,
  dims: number[] = [],
  type: ValueType = 'Real',
  initial?: Expr,
): FunctionLocal => ({
  name,
  type,
  dims,
  initial,
});
function fn(
  name: string,
  locals: FunctionLocal[],
  inputs: number,
  outputs: number,
  ...body: FunctionStatement[]
): FunctionDef {
  return { name, locals, inputs, outputs, body, span: undefined };
}
const i = pool.iter(0);

/** y = sum over k of c[k]*x^(k-1), by Horner. */
const horner = fn(
  'horner',
  [local('c', [4]), local('x'), local('y')],
  2,
  1,
  set(v(2), n(0)),
  loop(0, op('range', n(4), n(-1), n(1)), set(v(2), op('add', v(0, i), op('mul', v(2), v(1))))),
);

/** Square root by Newton, until the step is small. */
const newton = fn(
  'newton',
  [local('a'), local('x'), local('step', [], 'Real', n(1))],
  1,
  1,
  set(v(1), v(0)),
  {
    kind: 'while',
    condition: op('gt', op('abs', v(2)), n(1e-14)),
    body: [
      set(v(2), op('mul', n(0.5), op('sub', op('div', v(0), v(1)), v(1)))),
      set(v(1), op('add', v(1), v(2))),
    ],
  },
);

/** Recursive power, n an Integer. */
const power = fn('power', [local('x'), local('n', [], 'Integer'), local('y')], 2, 1, {
  kind: 'if',
  branches: [
    { condition: op('le', v(1), n(0)), body: [set(v(2), n(1))] },
    { condition: undefined, body: [set(v(2), op('mul', v(0), pool.call(2, [v(0), op('sub', v(1), n(1))])))] },
  ],
});

/** y := A*x, then the first two elements swapped by slices, s := x*y; two outputs. */
const product = fn(
  'product',
  [local('A', [2, 2]), local('x', [2]), local('y', [2]), local('s')],
  2,
  2,
  set(v(2), op('matmul', v(0), v(1))),
  set(v(2, range(n(1), n(2))), op('array', v(2, n(2)), v(2, n(1)))),
  set(v(3), op('matmul', v(1), v(2))),
);

/** (y, s) := product({{a,b},{b,a}}, {a, 1}); r := s*y[1]. */
const caller = fn(
  'caller',
  [local('a'), local('b'), local('r'), local('y', [2]), local('s')],
  2,
  1,
  {
    kind: 'multiassign',
    targets: [v(3), v(4)],
    fn: 3,
    args: [op('array', op('array', v(0), v(1)), op('array', v(1), v(0))), op('array', v(0), n(1))],
    span: undefined,
  },
  set(v(2), op('mul', v(4), v(3, n(1)))),
);

/** Straight line with an intermediate variable. */
const straight = fn(
  'straight',
  [local('x'), local('y'), local('z'), local('t')],
  2,
  1,
  set(v(3), op('mul', v(0), v(1))),
  set(v(2), op('add', op('sin', v(3)), v(0))),
);

/** Leaves the loop early. */
const early = fn(
  'early',
  [local('x', [5]), local('limit'), local('y')],
  2,
  1,
  set(v(2), n(0)),
  loop(
    0,
    range(n(1), n(5)),
    { kind: 'if', branches: [{ condition: op('gt', v(2), v(1)), body: [{ kind: 'break' }] }] },
    { kind: 'if', branches: [{ condition: op('lt', v(0, i), n(0)), body: [{ kind: 'return' }] }] },
    set(v(2), op('add', v(2), op('mul', v(0, i), v(0, i)))),
  ),
);

const all = [horner, newton, power, product, caller, straight, early];
const interpret = (k: number, ...args: number[]): (number | string)[] =>
  new Interpreter(pool, all).run(k, args);

describe('interpreter', () => {
  it('runs loops, branches, recursion and arrays', () => {
    expect(interpret(0, 1, 2, 3, 4, 2)).toEqual([1 + 2 * 2 + 3 * 4 + 4 * 8]);
    expect(interpret(1, 2)[0]).toBeCloseTo(Math.SQRT2, 14);
    expect(interpret(2, 3, 4)).toEqual([81]);
    // A = [1 2; 3 4], x = (5, 6): A*x = (17, 39), swapped (39, 17), x*y = 195 + 102.
    expect(interpret(3, 1, 2, 3, 4, 5, 6)).toEqual([39, 17, 297]);
    // A = [2 3; 3 2], x = (2, 1): A*x = (7, 8), swapped (8, 7), s = 16 + 7, r = 23*8.
    expect(interpret(4, 2, 3)).toEqual([184]);
    expect(interpret(6, 1, 2, 3, 4, 5, 4.5)).toEqual([5]);
    expect(interpret(6, 1, 2, -3, 4, 5, 100)).toEqual([5]);
  });
  it('computes the right side before it stores the left', () => {
    const shift = fn(
      'shift',
      [local('x', [3]), local('y', [3])],
      1,
      1,
      set(v(1), v(0)),
      set(v(1, range(n(2), n(3))), v(1, range(n(1), n(2)))),
    );
    expect(new Interpreter(pool, [shift]).run(0, [7, 8, 9])).toEqual([7, 7, 8]);
  });
  it('assigns rows and columns with computed subscripts', () => {
    const table = fn(
      'table',
      [local('A', [2, 3])],
      0,
      1,
      loop(0, range(n(1), n(2)), set(v(0, i, colon), op('mul', i, op('array', n(1), n(2), n(3))))),
    );
    expect(new Interpreter(pool, [table]).run(0, [])).toEqual([1, 2, 3, 2, 4, 6]);
  });
  it('stops what does not end', () => {
    const endless = fn('endless', [local('y')], 0, 1, { kind: 'while', condition: n(1), body: [] });
    expect(() => new Interpreter(pool, [endless], { iterations: 1000, depth: 10 }).run(0, [])).toThrow(
      /Loops of endless ran more than 1000 times/,
    );
    const deep = fn('deep', [local('y')], 0, 1, set(v(0), pool.call(0, [])));
    expect(() => new Interpreter(pool, [deep]).run(0, [])).toThrow(/deep are nested more than 256 deep/);
  });
  it('checks subscripts and assertions', () => {
    const pick = fn(
      'pick',
      [local('x', [3]), local('k', [], 'Integer'), local('y')],
      2,
      1,
      set(v(2), v(0, v(1))),
    );
    const run = (k: number): unknown => new Interpreter(pool, [pick]).run(0, [10, 20, 30, k]);
    expect(run(3)).toEqual([30]);
    for (const k of [0, 4, 1.5]) expect(() => run(k)).toThrow(`Subscript ${k} of x in pick is outside 1:3.`);
    const positive = fn(
      'positive',
      [local('x'), local('y')],
      1,
      1,
      {
        kind: 'assert',
        condition: op('gt', v(0), n(0)),
        message: op('concat', pool.text('x = '), op('string', v(0))),
        span: undefined,
      },
      set(v(1), v(0)),
    );
    expect(new Interpreter(pool, [positive]).run(0, [2])).toEqual([2]);
    expect(() => new Interpreter(pool, [positive]).run(0, [-2.5])).toThrow('x = -2.5');
  });
  it('serves as the environment of calls in expressions', () => {
    const { call } = new Interpreter(pool, all);
    const expr = pool.add(pool.call(2, [pool.ref(0), n(3)]), pool.call(3, [1, 2, 3, 4, 5, 6].map(n), 2));
    expect(evaluate(expr, () => 2, call)).toBe(8 + 297);
  });
});

describe('inlined', () => {
  it('writes straight functions out', () => {
    const [x, y] = [pool.ref(0), pool.ref(1)];
    const lowered = lowerFunctions(pool, all);
    const call = pool.call(5, [x, y]);
    expect(inlined(pool, lowered[5]!, call)).toBe(pool.add(pool.apply('sin', pool.mul(x, y)), x));
    expect(inlined(pool, lowered[0]!, pool.call(0, [x, x, x, x, y]))).toBeUndefined();
    expect(inlined(pool, lowered[2]!, pool.call(2, [x, n(2)]))).toBeUndefined();
    const args = [n(1), n(2), n(3), n(4), x, y];
    expect(inlined(pool, lowered[3]!, pool.call(3, args, 0))).toBe(
      pool.add(pool.mul(n(3), x), pool.mul(n(4), y)),
    );
  });
});

// ------------------------------------------------------------------ derivatives

/** Dual numbers, and the test functions once more in plain code over them. */
interface Dual {
  readonly v: number;
  readonly d: number;
}
const plus = (a: Dual, b: Dual): Dual => ({ v: a.v + b.v, d: a.d + b.d });
const times = (a: Dual, b: Dual): Dual => ({ v: a.v * b.v, d: a.d * b.v + a.v * b.d });
const plain = (value: number): Dual => ({ v: value, d: 0 });

const references: Record<string, (x: Dual[]) => Dual[]> = {
  horner: ([a, b, c, d, x]) => {
    let y = plain(0);
    for (const k of [d!, c!, b!, a!]) y = plus(k, times(y, x!));
    return [y];
  },
  newton: ([a]) => [{ v: Math.sqrt(a!.v), d: a!.d / (2 * Math.sqrt(a!.v)) }],
  product: ([p, q, r, s, x, y]) => {
    const first = plus(times(p!, x!), times(q!, y!));
    const second = plus(times(r!, x!), times(s!, y!));
    return [second, first, plus(times(x!, second), times(y!, first))];
  },
  caller: ([a, b]) => {
    const one = plain(1);
    const [y1, , s] = references.product!([a!, b!, b!, a!, a!, one]);
    return [times(s!, y1!)];
  },
  straight: ([x, y]) => {
    const t = times(x!, y!);
    return [plus({ v: Math.sin(t.v), d: Math.cos(t.v) * t.d }, x!)];
  },
  early: ([a, b, c, d, e, limit]) => {
    let y = plain(0);
    for (const x of [a!, b!, c!, d!, e!]) {
      if (y.v > limit!.v || x.v < 0) break;
      y = plus(y, times(x, x));
    }
    return [y];
  },
};

describe('derivatives of functions', () => {
  const arity = [5, 1, 2, 6, 2, 2, 6];
  it('agree with dual numbers in every direction', () => {
    const positive = fc.double({ min: 0.1, max: 3, noNaN: true });
    const direction = fc.double({ min: -2, max: 2, noNaN: true });
    const functions = [...all];
    const tangents = new Tangents(functions);
    const pairs = fc.array(fc.tuple(positive, direction), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 3, 4, 5, 6), pairs, (k, point) => {
        const count = arity[k]!;
        const x = point.slice(0, count).map(([value, d]) => ({ v: value, d }));
        const expected = references[all[k]!.name]!(x);
        const args = x.map((_, a) => pool.ref(a));
        expected.forEach((reference, output) => {
          const derivative = timeDerivative(pool, tangents, pool.call(k, args, output), () => false);
          const { call } = new Interpreter(pool, functions);
          const value = evaluate(
            derivative.value!,
            (leaf) => {
              const { symbol, order } = leaf as Ref;
              return order === 0 ? x[symbol]!.v : x[symbol]!.d;
            },
            call,
          );
          expect(Math.abs(value - reference.d)).toBeLessThan(1e-10 * (1 + Math.abs(reference.d)));
        });
      }),
      { numRuns: 300 },
    );
    // One derivative for each function that is no straight line, however often it is asked for.
    expect(functions.length - all.length).toBe(5);
  });
  it('follow recursion', () => {
    const functions = [...all];
    const tangents = new Tangents(functions);
    const x = pool.ref(0);
    const derivative = partial(pool, pool.call(2, [x, n(5)]), x, tangents);
    const { call } = new Interpreter(pool, functions);
    expect(evaluate(derivative.value!, () => 2, call)).toBe(5 * 2 ** 4);
  });
  it('can be taken twice', () => {
    const functions = [...all];
    const tangents = new Tangents(functions);
    const x = pool.ref(0);
    const expr = pool.call(0, [n(1), n(2), n(3), n(4), x]);
    const first = partial(pool, expr, x, tangents).value!;
    const second = partial(pool, first, x, tangents).value!;
    const { call } = new Interpreter(pool, functions);
    expect(evaluate(first, () => 2, call)).toBe(2 + 2 * 3 * 2 + 3 * 4 * 4);
    expect(evaluate(second, () => 2, call)).toBe(2 * 3 + 6 * 4 * 2);
  });
  it('give gradients', () => {
    const functions = [...all];
    const tangents = new Tangents(functions);
    const [x, y] = [pool.ref(0), pool.ref(1)];
    const result = gradient(pool, pool.call(5, [x, y]), (node) => node.kind === 'ref', tangents).value!;
    expect(result.get(y)).toBe(pool.mul(x, pool.apply('cos', pool.mul(x, y))));
    // The arguments x and sin(x) contain each other, but are varied one at a time.
    const nested = pool.call(5, [x, pool.apply('sin', x)]);
    const slope = gradient(pool, nested, (node) => node === x, tangents).value!.get(x)!;
    const f = (a: number): number => Math.sin(a * Math.sin(a)) + a;
    const difference = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6;
    expect(evaluate(slope, () => 0.7)).toBeCloseTo(difference, 8);
  });
  it('say which function cannot be differentiated', () => {
    const label = fn('label', [local('x'), local('s', [], 'String')], 1, 1, set(v(1), op('string', v(0))));
    const odd = fn('odd', [local('x'), local('y')], 1, 1, {
      kind: 'if',
      branches: [{ condition: undefined, body: [set(v(1), op('concat', pool.text('a')))] }],
    });
    const result = (functions: FunctionDef[]): Derivative =>
      partial(pool, pool.call(0, [pool.ref(0)]), pool.ref(0), new Tangents(functions));
    expect(result([odd]).reason).toBe('function odd: a String has no derivative');
    expect(result([label]).reason).toBe('a String has no derivative');
  });
});
