/** Calls of impure functions (Modelica 3.6, section 12.3): each is carried out by itself, and those of initial sections once. */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { isImpure } from '../../model/classes/functions.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../../symbolic/function.ts';
import { mayActOutside } from '../../symbolic/influence.ts';
import type * as ast from '../../syntax/ast.ts';
import { blank } from '../core/blank.ts';
import { type Context, type FlatBuilder, spanOf } from '../core/context.ts';
import { type Simple, storage } from '../core/values.ts';
import type { Origin } from '../flat.ts';

/** Where an impure function may be called (section 12.3); functions that say nothing of themselves call them as well, which is deprecated. */
export function mayBeImpure(node: ast.Call, { place, once, purified, ticking, scope }: Context): boolean {
  if (purified === node || ticking || place === 'when' || place === 'initial') return true;
  if (place === 'function') return scope.lexical.definition.purity !== 'pure';
  return place === 'declaration' && once === true;
}

/** A function that calls impure ones, and does not say that it is one, is taken for pure: it is called whenever its value is needed. */
export function warnOfImpure({ path }: ClassEntity, node: ast.Call, context: Context): void {
  const { place, purified, scope, builder } = context;
  const { definition, path: caller } = scope.lexical;
  if (place !== 'function' || purified === node || definition.purity !== undefined) return;
  const span = spanOf(node, context);
  const isTold = ({ code, span: at }: Diagnostic): boolean =>
    code === 'not-allowed' && at?.source === span.source && at?.start === span.start;
  if (builder.diagnostics.some(isTold)) return;
  const message = `\`${caller}\` calls the impure function \`${path}\`, but is not declared \`impure\`.`;
  const hint = `Write \`impure function ${definition.name.text}\`, or \`pure(…)\` around the call if its value depends on its arguments alone.`;
  builder.diagnostics.push(warning('not-allowed', message, { span, hint }));
}

/**
 * Whether equal calls of a function are different ones: of impure ones, and, where statements are carried out one after the other, of those with code from outside
 * that does not say that it is pure. Section 12.3 takes that for impure, without restrictions on where it is called.
 */
export function isCallOfItsOwn(
  entity: ClassEntity,
  fn: number,
  { builder, ordered, place }: Context,
): boolean {
  if (isImpure(entity)) return true;
  return (
    ordered === true && (place === 'when' || place === 'initial') && mayActOutside(builder.functions, fn)
  );
}

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
