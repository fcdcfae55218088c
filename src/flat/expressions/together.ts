/**
 * A record is assigned as a whole (Modelica 3.6, section 11.2.1): all of its fields get values that were computed before any of them changes, as in `r := R(r.b, r.a)`, and a function that
 * gives it is called once, not for each field.
 */
import type { Span } from '../../diagnostic/source.ts';
import { leaves as leavesOf } from '../../symbolic/analyse.ts';
import type { Call, Expr } from '../../symbolic/expr.ts';
import type { FunctionLocal, FunctionStatement } from '../../symbolic/function.ts';
import type { Context } from '../core/context.ts';
import { type Simple, storage } from '../core/values.ts';

/** Fields with their values, assigned at once where that makes a difference; undefined where one after the other will do. */
export function assignedTogether(
  targets: readonly Simple[],
  values: readonly Expr[],
  { builder, place }: Context,
  span: Span,
): FunctionStatement | undefined {
  if (targets.length < 2) return undefined;
  const { pool, functions } = builder;
  const isDelicate = readsOthers(targets, values);
  const call = oneCall(values);
  const callee = call && functions[call.fn];
  // Short functions are written out, field by field; and derivatives that are given are those of single outputs.
  const isLarge = place === 'function' && callee && !callee.inline && !callee.given?.length;
  if (call && (isDelicate || isLarge)) {
    const outputs: (Expr | undefined)[] = [];
    for (const [k, value] of values.entries()) outputs[(value as Call).output] = targets[k]!.expr;
    return { kind: 'multiassign', targets: Array.from(outputs), fn: call.fn, args: call.args, span };
  }
  if (!isDelicate) return undefined;
  const own = targets.map(
    ({ type, dims }, k): FunctionLocal => ({
      name: `value${k + 1}`,
      type: storage(type),
      dims,
      initial: undefined,
    }),
  );
  const results = own.map((local, k): FunctionLocal => ({ ...local, name: `result${k + 1}` }));
  const fn = functions.push({
    name: `together${functions.length}`,
    locals: [...own, ...results],
    inputs: own.length,
    outputs: own.length,
    body: own.map((_, k) => ({
      kind: 'assign',
      target: pool.local(own.length + k),
      value: pool.local(k),
      span,
    })),
    span,
  });
  return {
    kind: 'multiassign',
    targets: targets.map(({ expr }) => expr),
    fn: fn - 1,
    args: [...values],
    span,
  };
}

/** The call of which all values are outputs. */
function oneCall([first, ...others]: readonly Expr[]): Call | undefined {
  if (first?.kind !== 'call') return undefined;
  const isSame = (other: Expr): boolean =>
    other.kind === 'call' &&
    other.fn === first.fn &&
    other.output !== first.output &&
    other.args.length === first.args.length &&
    other.args.every((arg, k) => arg === first.args[k]);
  return others.every(isSame) ? first : undefined;
}

/** Whether a value reads a field that is assigned before it. */
function readsOthers(targets: readonly Simple[], values: readonly Expr[]): boolean {
  const assigned = new Set<string>();
  return values.some((value, k) => {
    const reads = assigned.size > 0 && leavesOf(value).some((leaf) => assigned.has(variableOf(leaf)));
    assigned.add(variableOf(targets[k]!.expr));
    return reads;
  });
}

const variableOf = (expr: Expr): string =>
  expr.kind === 'local' ? `local ${expr.index}` : expr.kind === 'ref' ? `symbol ${expr.symbol}` : '';
