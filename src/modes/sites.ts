/** Calls of impure functions at events: what tells where in the model each of them stands, so that evaluations that are repeated do not repeat it (`symbolic/repeats.ts`). */
import { remember } from '../collections/memo.ts';
import { nodesOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import {
  type FunctionDef,
  type FunctionStatement,
  statementExpressions,
  statementsIn,
} from '../symbolic/function.ts';
import { markLowered } from '../symbolic/lower.ts';
import type { Pool } from '../symbolic/pool.ts';
import { helper } from './helpers.ts';

/**
 * Lowered functions, those that are sites with marks around what they call; `add` takes another function and gives its number. A call among
 * statements that are a site together needs no marks of its own.
 */
export function withSites(
  pool: Pool,
  functions: readonly FunctionDef[],
  add: (fn: FunctionDef) => number,
): FunctionDef[] {
  const numbers = new Map<string, number>();
  const marked = (
    name: string,
    args: readonly Expr[],
    work: Parameters<typeof helper>[3],
  ): FunctionStatement => {
    const make = () => add(helper(name, [args.length], undefined, work));
    const fn = remember(numbers, `${name} ${args.length}`, make);
    return { kind: 'multiassign', targets: [undefined], fn, args, span: undefined };
  };
  const inner = new Set(functions.flatMap(({ turns, body }) => (turns === undefined ? [] : callsIn(body))));
  return functions.map((fn, site) => {
    const { turns, inputs, body } = fn;
    if (turns === undefined || inner.has(site)) return fn;
    const own = Array.from({ length: turns }, (_, k) => pool.local(inputs - turns + k));
    const enter = marked('$enter', [pool.const(site), ...own], function (place: Float64Array) {
      this.repeats.enter(place.join());
      return 0;
    });
    const leave = marked('$leave', [pool.zero], function () {
      this.repeats.leave();
      return 0;
    });
    return markLowered({ ...fn, body: [enter, ...body, leave] });
  });
}

/** Numbers of the functions that statements call. */
function callsIn(body: readonly FunctionStatement[]): number[] {
  const called: number[] = [];
  for (const statement of statementsIn(body)) if (statement.kind === 'multiassign') called.push(statement.fn);
  for (const node of nodesOf(...statementExpressions(body))) if (node.kind === 'call') called.push(node.fn);
  return called;
}
