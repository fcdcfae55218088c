/** Calls of impure functions (Modelica 3.6, section 12.3): each is carried out by itself, and those of initial sections once. */
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../../symbolic/function.ts';
import { blank } from '../core/blank.ts';
import type { Context, FlatBuilder } from '../core/context.ts';
import { type Simple, storage } from '../core/values.ts';
import type { Origin } from '../flat.ts';

/**
 * Every call of an impure function is one of its own: equal calls may give different values. So each has a function of its own, which
 * is also given the iterators around it.
 */
export function ownCall(
  callee: number,
  exprs: readonly Expr[],
  context: Context,
): { fn: number; given: readonly Expr[] } | undefined {
  const { builder, loop, place, ticking } = context;
  const { functions, pool } = builder;
  const { name, locals, inputs, outputs, span } = functions[callee]!;
  if (builder.unfinished.has(callee)) return undefined;
  const turns: Expr[] = place === 'function' ? [] : [...(context.turns ?? [])];
  for (let at = loop; at; at = at.outer) turns.push(pool.iter(at.iterator));
  const all: FunctionLocal[] = [
    ...locals.slice(0, inputs),
    ...turns.map(
      (_, k): FunctionLocal => ({ name: `$turn${k}`, type: 'Real', dims: [], initial: undefined }),
    ),
    ...locals.slice(inputs, inputs + outputs).map((local) => ({ ...local, initial: undefined })),
  ];
  const args = Array.from({ length: inputs }, (_, k) => pool.local(k));
  const targets = Array.from({ length: outputs }, (_, k) => pool.local(inputs + turns.length + k));
  const body: FunctionStatement[] = [{ kind: 'multiassign', targets, fn: callee, args, span }];
  const own: FunctionDef = {
    name,
    locals: all,
    inputs: inputs + turns.length,
    outputs,
    body,
    impure: true,
    ...((place === 'when' || place === 'initial' || ticking) && { turns: turns.length }),
    span,
  };
  return { fn: functions.push(own) - 1, given: [...exprs, ...turns] };
}

/** What an impure function gives to initial sections is computed once, when the run begins. */
export function calledOnce(builder: FlatBuilder, leaf: Simple, origin: Origin): Simple {
  const name = `$initial${builder.added.length + 1}`;
  const type = storage(leaf.type);
  const { dims, expr: binding } = leaf;
  const symbol = builder.add({
    ...blank,
    name,
    type,
    dims,
    variability: 'parameter',
    binding,
    hidden: true,
    origin,
  });
  return { ...leaf, variability: 'parameter', expr: builder.pool.ref(symbol) };
}
