import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluatePlan, planOf } from '../../src/audit/plan.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';
import { built, dual, names, trees, values } from '../symbolic/notation.ts';

test('a plan gives the value of the expression', () => {
  fc.assert(
    fc.property(trees(false), values, (tree, given) => {
      const pool = new Pool();
      const expr = built(pool, tree, false);
      const plan = planOf(expr)!;
      const leaf = (node: Expr): number => (node.kind === 'ref' ? given[node.symbol]! : Number.NaN);
      const of = (name: string) => ({ v: given[names.indexOf(name)]!, d: 0 });
      // Twice: nothing is left behind.
      for (let k = 0; k < 2; k++) expect(evaluatePlan(plan, leaf)).toBe(dual(tree, of).v);
    }),
  );
});

test('calls of functions and texts have no plan', () => {
  const pool = new Pool();
  expect(planOf(pool.add(pool.one, pool.call(0, [pool.time])))).toBeUndefined();
  expect(planOf(pool.text('a'))).toBeUndefined();
});
