/**
 * Operators of records, written out where they stand, so that an equation of complex numbers reads field by field, and contains
 * what it depends on and no more. Calls of functions that ask for it by an annotation are written out later (`symbolic/lower.ts`).
 */
import type { ClassEntity } from '../../model/classes/class.ts';
import { inlining } from '../../model/classes/settings.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import { inlineCalls } from '../../symbolic/inline.ts';
import { lowerFunction } from '../../symbolic/lower.ts';
import type { FlatBuilder } from '../core/context.ts';

/** Whether calls of a function are to be written out, as annotations ask for it and as operators of records are. */
export function inliningOf(entity: ClassEntity): FunctionDef['inline'] {
  const how = inlining(entity.definition) ?? (isOperator(entity) ? 'silent' : 'never');
  return how === 'never' ? undefined : how;
}

/** The outputs of an operator as expressions of its arguments, all of them scalars; undefined where it stays a call. */
export function operatorOutputs(
  { pool, functions }: FlatBuilder,
  entity: ClassEntity,
  index: number,
  args: readonly Expr[],
): Expr[] | undefined {
  if (!isOperator(entity)) return undefined;
  const fn = lowerFunction(pool, functions, functions[index]!);
  if (fn.locals.slice(0, fn.inputs + fn.outputs).some(({ dims }) => dims.length > 0)) return undefined;
  // Arguments may contain calls with arrays, which are written out where they are scalars.
  const own = (k: number): FunctionDef | undefined => (k === index ? fn : undefined);
  const written = new Map<Expr, Expr>();
  return Array.from({ length: fn.outputs }, (_, k) =>
    inlineCalls(pool, own, pool.call(index, args, k), written),
  );
}

/** Whether a function stands for an operator of a record. */
const isOperator = ({ definition, parent }: ClassEntity): boolean =>
  definition.restriction === 'operator function' || parent?.definition.restriction === 'operator';
