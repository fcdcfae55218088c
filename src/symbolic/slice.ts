/**
 * One output of a function, where a few assignments determine it. Records that functions give as a whole have fields of different kinds: in
 * `state := State(phase = 0, d = density(p, h))` the Integer `phase` is known whatever p and h are, and need not wait for them. What else the function does, and
 * what goes wrong in it, is seen where its other outputs are computed: a function with one output stays a call.
 */
import { nodesOf, substitute } from './analyse.ts';
import type { Call, Expr } from './expr.ts';
import { type Assignment, type FunctionDef, type FunctionStatement, statementsIn } from './function.ts';
import { afterwards, hasKnownSubscripts } from './inline.ts';
import { lowerFunction } from './lower.ts';
import type { Pool } from './pool.ts';
import { outputOffset, sizeOf } from './shape.ts';

/** Functions that call each other are followed so far. */
const deepest = 8;

/** The output of a scalarised call as an expression of what it depends on; undefined where loops or branches determine it. */
export function slicedOutput(
  pool: Pool,
  functions: readonly FunctionDef[],
  call: Call,
  depth = 0,
): Expr | undefined {
  const written = functions[call.fn];
  if (!written || written.external || depth > deepest) return undefined;
  if (depth === 0 && written.outputs === 1) return undefined;
  const fn = lowerFunction(pool, functions, written);
  const statements = fn.external ? undefined : sliceOf(pool, functions, fn, call.output);
  const value = statements && afterwards(pool, fn, statements, call);
  return (
    value &&
    substitute(pool, value, (node, args) =>
      node.kind === 'call'
        ? slicedOutput(pool, functions, pool.call(node.fn, args, node.output) as Call, depth + 1)
        : undefined,
    )
  );
}

/** The assignments that determine an output, in their order. */
function sliceOf(
  pool: Pool,
  functions: readonly FunctionDef[],
  fn: FunctionDef,
  output: number,
): readonly FunctionStatement[] | undefined {
  const wanted = outputLocal(fn, output);
  if (wanted === undefined) return undefined;
  const needed = new Set([wanted]);
  const slice: FunctionStatement[] = [];
  for (const statement of fn.body.toReversed()) {
    if (statement.kind === 'assert') continue;
    const inside: readonly FunctionStatement[] = [...statementsIn<FunctionStatement>([statement])];
    const leaves = inside.some(({ kind }) => kind === 'return' || kind === 'break');
    if (leaves) return undefined;
    if (!inside.some((one) => targetsOf(one).some((target) => needed.has(target)))) continue;
    const single = singly(pool, functions, statement, needed);
    if (!single) return undefined;
    for (const { target } of single) {
      if (target.kind !== 'local' || !hasKnownSubscripts(target)) return undefined;
      // An array that a call gives as a whole is not followed element by element.
      if (target.subscripts.length !== fn.locals[target.index]!.dims.length) return undefined;
      if (target.subscripts.length === 0) needed.delete(target.index);
    }
    for (const { value } of single) {
      if (!hasKnownSubscripts(value)) return undefined;
      for (const node of nodesOf(value)) if (node.kind === 'local') needed.add(node.index);
    }
    slice.push(...single);
  }
  const isKnown = (k: number): boolean => {
    const { initial } = fn.locals[k]!;
    return k < fn.inputs || !initial || hasKnownSubscripts(initial);
  };
  return [...needed].every(isKnown) ? slice.reverse() : undefined;
}

/** A statement as assignments of what is needed of it; undefined where it is none, or reads what it assigns. */
function singly(
  pool: Pool,
  functions: readonly FunctionDef[],
  statement: FunctionStatement,
  needed: ReadonlySet<number>,
): readonly Assignment[] | undefined {
  if (statement.kind === 'assign') return [statement];
  if (statement.kind !== 'multiassign') return undefined;
  const { fn, args, span } = statement;
  const assigned = new Set(targetsOf(statement));
  if (nodesOf(...args).some((node) => node.kind === 'local' && assigned.has(node.index))) return undefined;
  return statement.targets.flatMap((target, k): Assignment[] => {
    if (target?.kind !== 'local' || !needed.has(target.index)) return [];
    const value = pool.call(fn, args, outputOffset(functions[fn]!, k));
    return [{ kind: 'assign', target, value, span }];
  });
}

/** The scalar local of an output; undefined where it is an element of an array. */
function outputLocal(fn: FunctionDef, output: number): number | undefined {
  let rest = output;
  for (let k = fn.inputs; k < fn.inputs + fn.outputs; k++) {
    const { dims } = fn.locals[k]!;
    if (rest === 0 && dims.length === 0) return k;
    rest -= sizeOf(dims);
  }
  return undefined;
}

/** Numbers of the locals that a statement assigns itself. */
export function targetsOf(statement: FunctionStatement): number[] {
  const targets =
    statement.kind === 'assign'
      ? [statement.target]
      : statement.kind === 'multiassign'
        ? statement.targets
        : [];
  return targets.flatMap((target) => (target?.kind === 'local' ? [target.index] : []));
}
