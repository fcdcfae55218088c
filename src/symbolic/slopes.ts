/**
 * Slopes of operators at numbers: forward differentiation of what is computed step by step. The rules are those of `differentiate.ts`, applied once to each
 * operator and evaluated where they are asked for.
 */
import { remember } from '../collections/memo.ts';
import { partial } from './differentiate.ts';
import { evaluate } from './evaluate.ts';
import type { Expr, ScalarOp } from './expr.ts';
import { Pool } from './pool.ts';

const pool = new Pool();
const places = [pool.local(0), pool.local(1), pool.local(2)];
const rules = new Map<string, readonly (Expr | undefined)[]>();

/** How fast the value of an operator changes where its operands have these values and change this fast; undefined where it has no derivative. */
export function slopeOf(
  op: ScalarOp,
  values: readonly number[],
  slopes: readonly number[],
): number | undefined {
  let sum = 0;
  for (const [k, by] of slopes.entries()) {
    if (by === 0) continue;
    const rule = remember(rules, `${op} ${values.length}`, () => rulesOf(op, values.length))[k];
    if (!rule) return undefined;
    sum += by * evaluate(rule, (leaf) => (leaf.kind === 'local' ? values[leaf.index]! : Number.NaN));
  }
  return sum;
}

function rulesOf(op: ScalarOp, count: number): (Expr | undefined)[] {
  const operands = places.slice(0, count);
  const applied = pool.raw(op, operands);
  return operands.map((operand) => partial(pool, applied, operand).value);
}
