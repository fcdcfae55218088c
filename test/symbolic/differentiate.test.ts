import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradient, partial, timeDerivative } from '../../src/symbolic/differentiate.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { markLowered } from '../../src/symbolic/lower.ts';
import { Tangents } from '../../src/symbolic/tangent.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { bounded, built, dual, fresh, names, type Tree, trees, values } from './notation.ts';

/** d tree / dx is written as `expected` (both simplified). */
function gives(tree: Tree, expected: Tree): void {
  const { pool, x } = fresh();
  expect(partial(pool, built(pool, tree, true), x).value, JSON.stringify(tree)).toBe(
    built(pool, expected, true),
  );
}

describe('partial', () => {
  it('knows every operator', () => {
    gives(3, 0);
    gives('x', 1);
    gives('y', 0);
    gives('t', 0);
    gives(['add', 'x', 'y'], 1);
    gives(['sub', 'y', 'x'], -1);
    gives(['neg', 'x'], -1);
    gives(['mul', 'x', 'y'], 'y');
    gives(['mul', 'x', 'x'], ['mul', 2, 'x']);
    gives(['div', 'x', 'y'], ['div', 1, 'y']);
    gives(['div', 'y', 'x'], ['neg', ['div', ['div', 'y', 'x'], 'x']]);
    gives(['pow', 'x', 3], ['mul', 3, ['mul', 'x', 'x']]);
    gives(['pow', 'x', 'y'], ['mul', 'y', ['pow', 'x', ['sub', 'y', 1]]]);
    gives(['pow', 'y', 'x'], ['if', ['gt', 'y', 0], ['mul', ['log', 'y'], ['pow', 'y', 'x']], 0]);
    gives(['sin', 'x'], ['cos', 'x']);
    gives(['cos', 'x'], ['neg', ['sin', 'x']]);
    gives(['tan', 'x'], ['add', 1, ['mul', ['tan', 'x'], ['tan', 'x']]]);
    gives(['asin', 'x'], ['div', 1, ['sqrt', ['sub', 1, ['mul', 'x', 'x']]]]);
    gives(['acos', 'x'], ['div', -1, ['sqrt', ['sub', 1, ['mul', 'x', 'x']]]]);
    gives(['atan', 'x'], ['div', 1, ['add', 1, ['mul', 'x', 'x']]]);
    gives(['sinh', 'x'], ['cosh', 'x']);
    gives(['cosh', 'x'], ['sinh', 'x']);
    gives(['tanh', 'x'], ['sub', 1, ['mul', ['tanh', 'x'], ['tanh', 'x']]]);
    const exponent: Tree = ['mul', 2, 'x'];
    const pieces: Tree = ['if', ['lt', exponent, Math.log(Number.MAX_VALUE)], ['exp', exponent], 1e300];
    gives(['exp', exponent], ['mul', 2, ['smooth', Number.MAX_SAFE_INTEGER, pieces]]);
    gives(['log', 'x'], ['div', 1, 'x']);
    gives(['log10', 'x'], ['div', Math.LOG10E, 'x']);
    gives(['sqrt', 'x'], ['div', 0.5, ['sqrt', 'x']]);
    gives(['abs', 'x'], ['sign', 'x']);
    gives(['min', 'x', 'y'], ['if', ['le', 'x', 'y'], 1, 0]);
    gives(['max', 'x', 'y'], ['if', ['ge', 'x', 'y'], 1, 0]);
    gives(['if', ['lt', 'x', 0], ['mul', 2, 'x'], 'y'], ['if', ['lt', 'x', 0], 2, 0]);
    gives(['mod', 'x', 'y'], 1);
    gives(['mod', 'y', 'x'], ['neg', ['floor', ['div', 'y', 'x']]]);
    gives(['rem', 'y', 'x'], ['neg', ['idiv', 'y', 'x']]);
    gives(['homotopy', ['mul', 'y', 'x'], 'x'], ['homotopy', 'y', 1]);
    gives(['smooth', 1, ['abs', 'x']], ['smooth', 0, ['sign', 'x']]);
    gives(['smooth', 0, ['abs', 'x']], ['noEvent', ['sign', 'x']]);
    gives(['noEvent', ['abs', 'x']], ['noEvent', ['sign', 'x']]);
  });
  it('takes steps as constant between events', () => {
    for (const op of ['floor', 'ceil', 'sign'] as const) gives([op, 'x'], 0);
    for (const op of ['idiv', 'lt', 'ge', 'eq', 'and', 'or'] as const) gives([op, 'x', 'y'], 0);
    gives(['not', ['lt', 'x', 1]], 0);
  });
  it('says why there is no derivative', () => {
    const { pool, x } = fresh();
    expect(partial(pool, pool.apply('string', x), x)).toEqual({
      value: undefined,
      reason: 'a String has no derivative',
    });
    expect(partial(pool, pool.call(0, [x]), x).reason).toMatch(/user function/);
    expect(partial(pool, pool.raw('sum', [x]), x).reason).toMatch(/array operator sum/);
  });
  it('does not look into conditions', () => {
    const { pool, x, y } = fresh();
    const condition = pool.apply('gt', pool.call(0, [x]), y);
    expect(partial(pool, pool.if(condition, x, y), x).value).toBe(pool.if(condition, pool.one, pool.zero));
    const name = pool.apply('eq', pool.apply('string', y), pool.text('1'));
    expect(partial(pool, pool.if(name, x, y), x).value).toBe(pool.if(name, pool.one, pool.zero));
  });
});

describe('timeDerivative', () => {
  it('raises orders and leaves constants', () => {
    const { pool, x, y, t } = fresh();
    const dx = pool.ref(0, 1);
    const isConstant = (symbol: number): boolean => symbol === 1;
    const d = (expr: Expr): Expr | undefined => timeDerivative(pool, undefined, expr, isConstant).value;
    expect(d(x)).toBe(dx);
    expect(d(dx)).toBe(pool.ref(0, 2));
    expect(d(y)).toBe(pool.zero);
    expect(d(pool.mul(y, x))).toBe(pool.mul(y, dx));
    expect(d(pool.apply('sin', pool.mul(pool.const(2), t)))).toBe(
      pool.mul(pool.const(2), pool.apply('cos', pool.mul(pool.const(2), t))),
    );
    expect(d(pool.pre(0))).toBe(pool.zero);
    expect(d(pool.if(pool.held(3), x, y))).toBe(pool.if(pool.held(3), dx, pool.zero));
    const length = pool.add(pool.mul(x, x), pool.mul(pool.ref(2), pool.ref(2)));
    expect(d(length)).toBe(
      pool.add(
        pool.mul(pool.const(2), pool.mul(x, dx)),
        pool.mul(pool.const(2), pool.mul(pool.ref(2), pool.ref(2, 1))),
      ),
    );
  });
});

describe('laws', () => {
  const at =
    (point: readonly number[]) =>
    (leaf: Expr): number =>
      point[(leaf as { symbol: number }).symbol]!;

  it('agree with dual numbers', () => {
    fc.assert(
      fc.property(trees(true), values, (tree, point) => {
        const { pool } = fresh();
        const reference = bounded(tree, (name) => point[names.indexOf(name)]!);
        fc.pre(reference.e < 1e-8 * (1 + Math.abs(reference.v)));
        const expr = built(pool, tree, true);
        const all = gradient(pool, expr, (node) => node.kind === 'ref');
        for (const [k, name] of names.entries()) {
          const seeded = dual(tree, (other) => ({
            v: point[names.indexOf(other)]!,
            d: other === name ? 1 : 0,
          }));
          if (!Number.isFinite(seeded.d) || Math.abs(seeded.d) > 1e6 || onKink(tree, point)) continue;
          const forward = evaluate(partial(pool, expr, pool.ref(k)).value!, at(point));
          if (!Number.isFinite(forward)) continue;
          const reverse = evaluate(all.value!.get(pool.ref(k)) ?? pool.zero, at(point));
          const tolerance = 1e-6 * (1 + Math.abs(seeded.d));
          expect(Math.abs(forward - seeded.d), `forward ${name}`).toBeLessThan(tolerance);
          expect(Math.abs(reverse - seeded.d), `reverse ${name}`).toBeLessThan(tolerance);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** True where abs, min, max or a root stands at a point without derivative. */
function onKink(tree: Tree, point: readonly number[]): boolean {
  if (typeof tree !== 'object') return false;
  const [op, ...args] = tree;
  const value = (k: number): number => bounded(args[k]!, (name) => point[names.indexOf(name)]!).v;
  if ((op === 'abs' || op === 'sqrt') && Math.abs(value(0)) < 1e-6) return true;
  if ((op === 'min' || op === 'max') && Math.abs(value(0) - value(1)) < 1e-6) return true;
  if ((op === 'pow' || op === 'div' || op === 'log') && Math.abs(value(op === 'div' ? 1 : 0)) < 1e-3)
    return true;
  return args.some((arg) => onKink(arg, point));
}

describe('size and depth', () => {
  it('differentiates a sum of 100,000 terms', () => {
    const { pool } = fresh();
    let sum: Expr = pool.zero;
    for (let i = 0; i < 100_000; i++) sum = pool.add(sum, pool.apply('sin', pool.ref(i)));
    expect(partial(pool, sum, pool.ref(77)).value).toBe(pool.apply('cos', pool.ref(77)));
    const all = gradient(pool, sum, (node) => node.kind === 'ref').value!;
    expect(all.size).toBe(100_000);
    expect(all.get(pool.ref(99_999))).toBe(pool.apply('cos', pool.ref(99_999)));
  });
  it('differentiates a function of an array by all elements in one sweep', () => {
    for (const n of [4, 20, 2000]) {
      const { pool } = fresh();
      // y := x[1]*(x[1] + … + x[n]); z := sin(x[n])
      const element = (k: number): Expr => pool.local(0, [pool.const(k)]);
      let sum: Expr = pool.zero;
      for (let k = 1; k <= n; k++) sum = pool.add(sum, element(k));
      const local = { type: 'Real', initial: undefined } as const;
      const assign = (index: number, value: Expr) =>
        ({ kind: 'assign', target: pool.local(index), value, span: undefined }) as const;
      const fn = markLowered({
        name: 'f',
        locals: [
          { ...local, name: 'x', dims: [n] },
          { ...local, name: 'y', dims: [] },
          { ...local, name: 'z', dims: [] },
        ],
        inputs: 1,
        outputs: 2,
        body: [assign(1, pool.mul(element(1), sum)), assign(2, pool.apply('sin', element(n)))],
        span: undefined,
      });
      const point = Array.from({ length: n }, (_, k) => 1 / (k + 1));
      const total = point.reduce((a, b) => a + b, 0);
      const args = point.map((_, k) => pool.ref(k));
      const tangents = new Tangents([fn]);
      const slopes = (output: number): number[] => {
        const found = gradient(pool, pool.call(0, args, output), (node) => node.kind === 'ref', tangents)
          .value!;
        return args.map((arg) => {
          const slope = found.get(arg);
          return slope ? evaluate(slope, (leaf) => point[(leaf as { symbol: number }).symbol]!) : 0;
        });
      };
      for (const [k, slope] of slopes(0).entries()) expect(slope).toBeCloseTo(k === 0 ? 1 + total : 1, 12);
      expect(slopes(1)).toEqual(point.map((x, k) => (k === n - 1 ? Math.cos(x) : 0)));
      expect(pool.size).toBeLessThan(100 + 12 * n);
    }
  });

  it('builds and differentiates small equations with few nodes, each as fast as the first', () => {
    const equations = (count: number) => {
      const { pool } = fresh();
      return () => {
        for (let i = 1; i <= count; i++) {
          const flow = pool.mul(pool.const(0.5), pool.sub(pool.ref(i - 1), pool.ref(i)));
          const right = pool.add(flow, pool.apply('sin', pool.mul(pool.ref(i), pool.ref(i + 1))));
          const residual = pool.sub(pool.ref(i, 1), right);
          gradient(pool, residual, (node) => node.kind === 'ref');
          timeDerivative(pool, undefined, residual, () => false);
        }
        expect(pool.size).toBeLessThan(32 * count);
      };
    };
    expect(orderOf(equations, 5000)).toBeLessThan(almostLinear);
  });
});
