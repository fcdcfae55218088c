/**
 * Calls of short functions written out: the body of a function without branches, loops and calls is a sequence of
 * assignments, so each output is an expression of the arguments.
 */
import { remember } from '../collections/memo.ts';
import { children, nodesOf, substitute } from './analyse.ts';
import type { Call, Expr, Local } from './expr.ts';
import type { FunctionDef } from './function.ts';
import type { Pool } from './pool.ts';
import { constant, flatIndex, sizeOf } from './shape.ts';

/** Longer bodies stay calls: their code is better shared. */
const mostStatements = 20;

/** The value of a scalarised call of a lowered function as an expression of its arguments; undefined where it must stay a call. */
export function inlined(pool: Pool, fn: FunctionDef, call: Call): Expr | undefined {
  if (!isStraight(fn)) return undefined;
  const values = fn.locals.map((local) => new Array<Expr>(sizeOf(local.dims)).fill(pool.zero));
  let next = 0;
  for (let k = 0; k < fn.inputs; k++)
    for (let e = 0; e < values[k]!.length; e++) values[k]![e] = call.args[next++]!;
  const written = (expr: Expr): Expr =>
    substitute(pool, expr, (node) =>
      node.kind === 'local' ? values[node.index]![positionIn(fn, node)] : undefined,
    );
  const assign = (target: Local, value: Expr): void => {
    const isWhole = fn.locals[target.index]!.dims.length > 0 && target.subscripts.length === 0;
    if (isWhole) values[target.index] = children(value).map(written);
    else values[target.index]![positionIn(fn, target)] = written(value);
  };
  fn.locals.forEach((local, k) => {
    if (local.initial) assign(pool.local(k), local.initial);
  });
  for (const statement of fn.body) {
    if (statement.kind === 'assign') assign(statement.target as Local, statement.value);
  }
  return values.slice(fn.inputs, fn.inputs + fn.outputs).flat()[call.output];
}

const straight = new WeakMap<FunctionDef, boolean>();

/** Only assignments, no calls, no computed subscripts. */
function isStraight(fn: FunctionDef): boolean {
  return remember(
    straight,
    fn,
    () =>
      !fn.external &&
      fn.body.length <= mostStatements &&
      fn.body.every((s) => s.kind === 'assign' && isPlain(s.target) && isPlain(s.value)) &&
      fn.locals.every((local) => !local.initial || isPlain(local.initial)),
  );
}

function isPlain(expr: Expr): boolean {
  return nodesOf(expr).every(
    (node) =>
      node.kind !== 'call' && (node.kind !== 'local' || node.subscripts.every((s) => s.kind === 'const')),
  );
}

/** Row-major position of an element with constant subscripts. */
function positionIn(fn: FunctionDef, { index, subscripts }: Local): number {
  return flatIndex(
    fn.locals[index]!.dims,
    subscripts.map((subscript) => constant(subscript, 'A subscript')),
  );
}
