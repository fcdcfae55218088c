/**
 * Calls of short functions written out: the body of a function without branches, loops and calls is a sequence of
 * assignments, so each output is an expression of the arguments. Functions ask for it by their annotations (Modelica 3.6,
 * section 12.8), and operators of records have it, so that an equation contains what it depends on and no more, and is linear
 * where the function is.
 */
import { remember } from '../collections/memo.ts';
import { children, nodesOf, rebuild, substitute } from './analyse.ts';
import { carriedOut, withoutGaps } from './execute.ts';
import type { Call, Expr, Local } from './expr.ts';
import { beginningOf, type FunctionDef, type FunctionStatement, statementExpressions } from './function.ts';
import { isPiecewiseConstant } from './operators.ts';
import type { Pool } from './pool.ts';
import { constant, flatIndex, sizeOf } from './shape.ts';

/** Longer bodies stay calls: their code is better shared. */
const mostStatements = 20;

/**
 * A scalar expression in which calls are written out; `lowered` gives the functions of these in lowered form.
 * A `memo` may be shared by calls with the same functions.
 */
export function inlineCalls(
  pool: Pool,
  lowered: (fn: number) => FunctionDef | undefined,
  expr: Expr,
  memo?: Map<Expr, Expr>,
): Expr {
  return substitute(
    pool,
    expr,
    (node, args) => {
      const fn = node.kind === 'call' ? lowered(node.fn) : undefined;
      return fn && writtenOut(pool, fn, rebuild(pool, node, args) as Call);
    },
    memo,
  );
}

function writtenOut(pool: Pool, fn: FunctionDef, call: Call): Expr | undefined {
  if (fn.inline === 'demanded') return inlined(pool, fn, call) ?? carriedOut(pool, fn, call);
  const value = inlined(pool, fn, call);
  if (!value || fn.inline === 'events' || !statementsCauseEvents(fn)) return value;
  // Relations of the arguments cause events wherever the function stands.
  return causeEvents(call.args) ? undefined : pool.apply('noEvent', value);
}

/** Whether a lowered function has relations that should cause events, but stays a call, in which they do not. */
export function losesEvents(pool: Pool, fn: FunctionDef, index: number): boolean {
  if (fn.inline !== 'demanded' || fn.external || !statementsCauseEvents(fn)) return false;
  const size = fn.locals.slice(0, fn.inputs).reduce((sum, { dims }) => sum + sizeOf(dims), 0);
  const places = Array.from({ length: size }, (_, k) => pool.local(-1 - k));
  return writtenOut(pool, fn, pool.call(index, places, 0) as Call) === undefined;
}

const switching = new WeakMap<FunctionDef, boolean>();

const statementsCauseEvents = (fn: FunctionDef): boolean =>
  remember(switching, fn, () => causeEvents([...statementExpressions(fn.body)]));

const causeEvents = (exprs: readonly Expr[]): boolean =>
  nodesOf(...exprs).some((node) => node.kind === 'apply' && isPiecewiseConstant(node.op));

/** The value of a scalarised call of a lowered function as an expression of its arguments; undefined where it must stay a call. */
export function inlined(pool: Pool, fn: FunctionDef, call: Call): Expr | undefined {
  return isStraight(fn) ? afterwards(pool, fn, fn.body, call) : undefined;
}

/** An output after assignments; subscripts in them are known. */
export function afterwards(
  pool: Pool,
  fn: FunctionDef,
  statements: readonly FunctionStatement[],
  call: Call,
): Expr | undefined {
  const values = fn.locals.map((local) =>
    new Array<Expr>(sizeOf(local.dims)).fill(pool.const(beginningOf(local))),
  );
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
    if (local.initial && hasKnownSubscripts(local.initial)) assign(pool.local(k), local.initial);
  });
  for (const statement of statements) {
    if (statement.kind === 'assign') assign(statement.target as Local, statement.value);
  }
  const value = values.slice(fn.inputs, fn.inputs + fn.outputs).flat()[call.output];
  return value && withoutGaps(fn, value);
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

const isPlain = (expr: Expr): boolean =>
  hasKnownSubscripts(expr) && nodesOf(expr).every(({ kind }) => kind !== 'call');

/** Whether it is known which elements of variables of the function it names. */
export const hasKnownSubscripts = (expr: Expr): boolean =>
  nodesOf(expr).every((node) => node.kind !== 'local' || node.subscripts.every((s) => s.kind === 'const'));

/** Row-major position of an element with constant subscripts. */
function positionIn(fn: FunctionDef, { index, subscripts }: Local): number {
  return flatIndex(
    fn.locals[index]!.dims,
    subscripts.map((subscript) => constant(subscript, 'A subscript')),
  );
}
