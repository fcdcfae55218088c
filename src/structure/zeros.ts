/**
 * Products with a parameter that is zero. Structure must not rely on them: `tau = c*phi + d*der(phi)` with `d = 0` determines phi, not its
 * derivative. Such products vanish from the equations before these are analysed. Where a condition makes a factor zero, it chooses
 * between terms: `v = s*(if off then 1 else Ron)` with `Ron = 0` is `v = if off then s else 0`.
 */
import { remember } from '../collections/memo.ts';
import { children, nodesOf, rebuild } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { ScalarEquation } from './analysis.ts';

/** Equations are shared by modes, and so is what is left of them. */
const known = new WeakMap<ScalarEquation, ScalarEquation>();

/** The equations without products that are zero; `zeros` are the symbols of parameters with that value. */
export function withoutZeros(
  pool: Pool,
  equations: readonly ScalarEquation[],
  zeros: ReadonlySet<number>,
): readonly ScalarEquation[] {
  if (zeros.size === 0) return equations;
  return equations.map((equation) =>
    remember(known, equation, () => {
      const left = simplified(pool, equation.left, zeros);
      const right = simplified(pool, equation.right, zeros);
      const same = left === equation.left && right === equation.right;
      return same ? equation : { ...equation, left, right };
    }),
  );
}

/** An expression in which no condition makes a factor zero: it chooses between terms instead. */
export function withoutZeroFactors(pool: Pool, expr: Expr): Expr {
  return simplified(pool, expr, none);
}

const none: ReadonlySet<number> = new Set();

/** Whether other parameters that are zero leave the same of an equation. */
export function isSameWithout(
  pool: Pool,
  { left, right }: Pick<ScalarEquation, 'left' | 'right'>,
  zeros: ReadonlySet<number>,
  others: ReadonlySet<number>,
): boolean {
  return [left, right].every((side) => simplified(pool, side, zeros) === simplified(pool, side, others));
}

function simplified(pool: Pool, root: Expr, zeros: ReadonlySet<number>): Expr {
  const nodes = nodesOf(root);
  const isZero = (expr: Expr) =>
    expr === pool.zero || (expr.kind === 'ref' && expr.order === 0 && zeros.has(expr.symbol));
  if (!nodes.some(isZero)) return root;
  const results = new Map<Expr, Expr>();
  for (const node of nodes) {
    const parts = children(node).map((child) => results.get(child)!);
    if (node.kind === 'apply' && node.op === 'mul') results.set(node, product(pool, node, parts, isZero));
    else results.set(node, rebuild(pool, node, parts));
  }
  return results.get(root)!;
}

function product(pool: Pool, node: Expr, parts: readonly Expr[], isZero: (expr: Expr) => boolean): Expr {
  if (parts.some(isZero)) return pool.zero;
  const chosen = parts.findIndex(
    (part) => part.kind === 'apply' && part.op === 'if' && (isZero(part.args[1]!) || isZero(part.args[2]!)),
  );
  if (chosen < 0) return rebuild(pool, node, parts);
  const [condition, then, otherwise] = children(parts[chosen]!) as [Expr, Expr, Expr];
  const term = (factor: Expr) =>
    isZero(factor) ? pool.zero : rebuild(pool, node, parts.with(chosen, factor));
  return pool.if(condition, term(then), term(otherwise));
}
