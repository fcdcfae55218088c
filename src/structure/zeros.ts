/**
 * Products with a parameter that is zero. Structure must not rely on them: `tau = c*phi + d*der(phi)` with `d = 0` determines phi, not its
 * derivative. Such products vanish from the equations before these are analysed.
 */
import { children, nodesOf, rebuild } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { ScalarEquation } from './sorted.ts';

/** Equations are shared by modes, and so is what is left of them. */
const known = new WeakMap<ScalarEquation, ScalarEquation>();

/** The equations without products that are zero; `zeros` are the symbols of parameters with that value. */
export function withoutZeros(
  pool: Pool,
  equations: readonly ScalarEquation[],
  zeros: ReadonlySet<number>,
): readonly ScalarEquation[] {
  if (zeros.size === 0) return equations;
  return equations.map((equation) => {
    let result = known.get(equation);
    if (!result) {
      const left = simplified(pool, equation.left, zeros);
      const right = simplified(pool, equation.right, zeros);
      const same = left === equation.left && right === equation.right;
      result = same ? equation : { ...equation, left, right };
      known.set(equation, result);
    }
    return result;
  });
}

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
    if (node.kind === 'apply' && node.op === 'mul' && parts.some(isZero)) results.set(node, pool.zero);
    else if (parts.every((part, k) => part === children(node)[k])) results.set(node, node);
    else results.set(node, rebuild(pool, node, parts));
  }
  return results.get(root)!;
}
