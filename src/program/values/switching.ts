/** What only events change, and what decides on it, in terms of the variables of a mode. */
import { remember } from '../../collections/memo.ts';
import type { SortedMode } from '../../structure/analysis.ts';
import type { Switching } from '../../structure/jumps/jumps.ts';
import { leaves, nodesOf } from '../../symbolic/analyse.ts';
import { isRelation } from '../../symbolic/arithmetic.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { aliasResolver } from '../aliases.ts';
import type { Runtime } from '../runtime.ts';

export function switchingIn(runtime: Runtime, sorted: SortedMode): Switching {
  const { pool, model } = runtime.values;
  const resolve = aliasResolver(pool, sorted);
  return {
    isSwitched: (leaf) => runtime.facts.switches(leaf),
    relationOf: (relation) => {
      const { op, switchTime } = model.relations[relation]!;
      return switchTime ? undefined : { op, indicator: resolve(runtime.values.indicatorOf(relation)) };
    },
    definitionOf: (symbol) => runtime.finding(definitions).get(symbol),
    isAfter: (coefficient) =>
      nodesOf(coefficient).some((node) => {
        const code = node.kind === 'call' ? runtime.code.functions[node.fn]!.external : undefined;
        return (
          code?.kind === 'component' && model.components[code.component]!.flat.builtIn.absorbs !== undefined
        );
      }),
  };
}

/** What discrete variables are equal to at any time and in all modes; not those that remember. */
function definitions({ model }: Runtime): ReadonlyMap<number, Expr> {
  const remembers = (expr: Expr) => leaves(expr).some((leaf) => leaf.kind === 'pre');
  return new Map(
    model.equations.flatMap(({ assigns, guard, right }) =>
      assigns === undefined || guard.length > 0 || remembers(right) ? [] : [[assigns, right]],
    ),
  );
}

/** Expressions of which is known whether they are decided. */
const decisions = (): Map<Expr, boolean> => new Map();

/** Whether relations between variables decide on an expression, which may then change on the way of a jump. */
export function isDecided(runtime: Runtime, expr: Expr): boolean {
  if (expr.kind === 'const') return false;
  return remember(runtime.finding(decisions), expr, () =>
    nodesOf(expr).some((node) => decides(runtime, node)),
  );
}

function decides(runtime: Runtime, node: Expr): boolean {
  if (node.kind === 'held') return runtime.model.relations[node.relation]!.switchTime === undefined;
  if (node.kind === 'ref') return runtime.finding(definitions).has(node.symbol);
  return node.kind === 'apply' && isRelation(node.op);
}
