import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { linear, solveFor } from '../../src/symbolic/solve.ts';
import { built, fresh, type Tree } from './notation.ts';

function solves(left: Tree, right: Tree, value: Tree, pivot: Tree = 1): void {
  const { pool, x } = fresh();
  const solution = solveFor(pool, built(pool, left, true), built(pool, right, true), x);
  expect(solution?.value, JSON.stringify([left, right])).toBe(built(pool, value, true));
  expect(solution?.pivot).toBe(built(pool, pivot, true));
}

function cannot(left: Tree, right: Tree): void {
  const { pool, x } = fresh();
  expect(solveFor(pool, built(pool, left, true), built(pool, right, true), x)).toBeUndefined();
}

describe('linear', () => {
  it('splits into coefficient and rest', () => {
    const { pool, x } = fresh();
    const split = (tree: Tree): readonly (Expr | undefined)[] => {
      const parts = linear(pool, built(pool, tree, true), x);
      return [parts?.coefficient, parts?.rest];
    };
    const pair = (c: Tree, r: Tree): Expr[] => [built(pool, c, true), built(pool, r, true)];
    expect(split('y')).toEqual(pair(0, 'y'));
    expect(split(['add', ['mul', 'y', 'x'], 'z'])).toEqual(pair('y', 'z'));
    expect(split(['div', ['sub', 'x', 'z'], 'y'])).toEqual(pair(['div', 1, 'y'], ['neg', ['div', 'z', 'y']]));
    expect(split(['mul', 'y', ['add', 'x', ['mul', 2, 'x']]])).toEqual(pair(['mul', 3, 'y'], 0));
    expect(split(['if', ['lt', 'z', 0], ['mul', 2, 'x'], 'y'])).toEqual(
      pair(['if', ['lt', 'z', 0], 2, 0], ['if', ['lt', 'z', 0], 0, 'y']),
    );
    expect(linear(pool, built(pool, ['mul', 'x', 'x'], true), x)).toBeUndefined();
    expect(linear(pool, built(pool, ['div', 1, 'x'], true), x)).toBeUndefined();
    expect(linear(pool, built(pool, ['if', ['lt', 'x', 0], 'x', 'y'], true), x)).toBeUndefined();
  });
});

describe('solveFor', () => {
  it('solves linear equations and names the pivot', () => {
    solves('x', 'y', 'y');
    solves(['add', 'x', 'y'], 0, ['neg', 'y']);
    solves(['mul', 'y', 'x'], 'z', ['div', 'z', 'y'], 'y');
    solves(['mul', 2, 'x'], ['add', 'x', 'y'], 'y');
    solves('z', ['sub', 'y', ['mul', 4, 'x']], ['mul', 0.25, ['sub', 'y', 'z']], 4);
    const slope: Tree = ['if', ['lt', 'z', 0], 2, 1];
    solves('y', ['if', ['lt', 'z', 0], ['mul', 2, 'x'], 'x'], ['div', 'y', slope], ['neg', slope]);
  });
  it('undoes functions whose inverse is safe', () => {
    solves(['exp', 'x'], 'y', ['log', 'y']);
    solves('y', ['log', ['add', 'x', 1]], ['sub', ['exp', 'y'], 1]);
    solves(['log10', 'x'], 'y', ['pow', 10, 'y']);
    solves(['pow', 'x', 3], 'y', ['mul', ['sign', 'y'], ['pow', ['abs', 'y'], 1 / 3]]);
    solves(['div', 'y', 'x'], 'z', ['div', 'y', 'z'], 'z');
    solves(['mul', 'z', ['exp', ['neg', 'x']]], 'y', ['neg', ['log', ['div', 'y', 'z']]], ['neg', 'z']);
  });
  it('undoes squares that keep their signs', () => {
    const root = (y: Tree): Tree => ['mul', ['sign', y], ['sqrt', ['abs', y]]];
    solves(['mul', 'x', ['abs', 'x']], 'y', root('y'));
    solves(['mul', ['mul', 'z', 'x'], ['abs', 'x']], 'y', root(['div', 'y', 'z']), 'z');
    solves(['mul', ['abs', ['exp', 'x']], ['exp', 'x']], 'y', ['log', root('y')]);
    cannot(['mul', ['add', 'x', 1], ['abs', 'x']], 'y');
    cannot(['mul', ['mul', 'x', 'x'], ['abs', 'x']], 'y');
    cannot(['mul', ['sin', 'x'], ['abs', 'x']], 'y');
  });
  it('refuses what has no safe formula', () => {
    cannot('y', 'z');
    cannot('x', 'x');
    cannot(['mul', 'x', 'x'], 'y');
    cannot(['sqrt', 'x'], 'y');
    cannot(['sin', 'x'], 'y');
    cannot(['atan', 'x'], 'y');
    cannot(['pow', 'x', 2], 'y');
    cannot(['exp', 'x'], ['add', 'x', 'y']);
    cannot(['mul', 0, 'x'], 'y');
    cannot(['add', ['exp', 'x'], 'x'], 'y');
  });
  it('never divides by what is zero in a branch', () => {
    cannot('y', ['if', ['lt', 'z', 0], 'x', 'y']);
    cannot('x', ['if', ['lt', 'z', 0], ['add', 'x', 1], 'y']);
  });
});

/** Expressions in which x occurs linearly or once behind invertible functions. */
const { solvable } = fc.letrec<{ solvable: Tree; other: Tree }>((tie) => ({
  other: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Tree>('y', 'z', 2, -3, 0.5),
    fc.tuple(fc.constantFrom('add', 'mul', 'sub'), tie('other'), tie('other')) as fc.Arbitrary<Tree>,
  ),
  solvable: fc.oneof(
    { maxDepth: 4 },
    fc.constant<Tree>('x'),
    fc.tuple(fc.constantFrom('add', 'mul', 'sub'), tie('other'), tie('solvable')) as fc.Arbitrary<Tree>,
    fc.tuple(fc.constantFrom('div', 'sub', 'add'), tie('solvable'), tie('other')) as fc.Arbitrary<Tree>,
    fc.tuple(fc.constantFrom('exp', 'sinh', 'tanh', 'neg'), tie('solvable')) as fc.Arbitrary<Tree>,
    fc.tuple(fc.constant('pow'), tie('solvable'), fc.constantFrom(3, 5)) as fc.Arbitrary<Tree>,
    fc.tuple(
      fc.constant('if'),
      fc.constant<Tree>(['lt', 'y', 'z']),
      tie('solvable'),
      tie('solvable'),
    ) as fc.Arbitrary<Tree>,
  ),
}));

it('gives back the x that made the equation true', () => {
  const values = fc.integer({ min: -128, max: 128 }).map((k) => k / 64);
  let solved = 0;
  fc.assert(
    fc.property(solvable, values, values, values, (tree, xv, yv, zv) => {
      const { pool, x, y } = fresh();
      const left = built(pool, tree, true);
      const at = (leaf: Expr): number => (leaf === x ? xv : leaf === y ? yv : zv);
      const right = pool.const(evaluate(left, at));
      fc.pre(Number.isFinite(right.value) && Math.abs(right.value) < 1e3 && Math.abs(right.value) > 1e-3);
      const solution = solveFor(pool, left, right, x);
      if (!solution) return;
      const pivot = evaluate(solution.pivot, at);
      fc.pre(Number.isFinite(pivot) && Math.abs(pivot) > 1e-2);
      const found = evaluate(solution.value, at);
      fc.pre(Number.isFinite(found));
      const back = evaluate(left, (leaf) => (leaf === x ? found : at(leaf as Expr)));
      solved++;
      expect(Math.abs(back - right.value)).toBeLessThan(1e-6 * (1 + Math.abs(right.value)) + 1e-6);
    }),
    { numRuns: 1500 },
  );
  expect(solved).toBeGreaterThan(300);
});
