/**
 * Calls that are written out where they stand (Modelica 3.6, section 12.8): of functions that ask for it, and of operators of
 * records, so that an equation of complex numbers contains what it depends on and no more. Only short sequences of assignments are;
 * others stay calls.
 */
import type { ClassEntity } from '../../model/classes/class.ts';
import { inlining } from '../../model/classes/settings.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { inlined } from '../../symbolic/inline.ts';
import { lowerFunction } from '../../symbolic/lower.ts';
import { isPiecewiseConstant } from '../../symbolic/operators.ts';
import type { FlatBuilder } from '../core/context.ts';

/** The outputs of a call as expressions of its arguments, all of them scalars; undefined where it stays a call. */
export function writtenOut(
  builder: FlatBuilder,
  entity: ClassEntity,
  index: number,
  args: readonly Expr[],
): Expr[] | undefined {
  const how = inlining(entity.definition) ?? (isOperator(entity) ? 'silent' : 'never');
  if (how === 'never') return undefined;
  const { pool, functions } = builder;
  const fn = lowerFunction(pool, functions, functions[index]!);
  if (fn.locals.slice(0, fn.inputs + fn.outputs).some(({ dims }) => dims.length > 0)) return undefined;
  const outputs: Expr[] = [];
  for (let k = 0; k < fn.outputs; k++) {
    const value = inlined(pool, fn, pool.call(index, args, k));
    if (!value) return undefined;
    const isQuiet = how === 'events' || !causesEvents([value]);
    // Relations of the arguments cause events wherever the function stands.
    if (!isQuiet && causesEvents(args)) return undefined;
    outputs.push(isQuiet ? value : pool.apply('noEvent', value));
  }
  return outputs;
}

const causesEvents = (exprs: readonly Expr[]): boolean =>
  nodesOf(...exprs).some((node) => node.kind === 'apply' && isPiecewiseConstant(node.op));

/** Whether a function stands for an operator of a record. */
const isOperator = ({ definition, parent }: ClassEntity): boolean =>
  definition.restriction === 'operator function' || parent?.definition.restriction === 'operator';
