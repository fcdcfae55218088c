/**
 * Arrays that swing: functions of time, and sines of anything, may cross a boundary and come back within a step. Of variables of the scalar part it is known when they
 * turn (`program/mode/watchlist.ts`); of elements that loops compute it is not, so that arrays that swing are left to the scalar part where events depend on them.
 */
import { isLinearIn, leaves, nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import type { Kernel } from '../elements/kernel.ts';
import { eachAccess } from '../elements/nodes.ts';

const periodic: ReadonlySet<string> = new Set(['sin', 'cos', 'tan']);

/** The arrays that swing among those that events depend on: through `indicators`, or by `readers` of the scalar part. */
export function swingingSymbols(
  pool: Pool,
  kernels: readonly Kernel[],
  indicators: ReadonlySet<number>,
  readers: ReadonlySet<number>,
): ReadonlySet<number> {
  const statements = kernels.flatMap((kernel) => kernel.statements);
  const swinging = new Set<number>();
  const found = new Set<number>();
  const varies = (leaf: Expr): boolean => leaf.kind === 'time' || leaf.kind === 'ref';
  const turns = (value: Expr): boolean =>
    !isLinearIn(value, new Set([pool.time])) ||
    nodesOf(value).some(
      (node) => node.kind === 'apply' && periodic.has(node.op) && leaves(node).some(varies),
    );
  for (const { target, value } of statements) {
    if (target.order > 0) continue;
    const read: number[] = [];
    eachAccess(value, [], ({ symbol, order }) => {
      if (order === 0 && swinging.has(symbol)) read.push(symbol);
    });
    if (indicators.has(target.symbol)) for (const symbol of read) found.add(symbol);
    else if (read.length > 0 || turns(value)) swinging.add(target.symbol);
  }
  for (const symbol of readers) if (swinging.has(symbol)) found.add(symbol);
  return found;
}
