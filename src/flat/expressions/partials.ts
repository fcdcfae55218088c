/**
 * `function f = der(g, x, y)` (Modelica 3.6, section 12.7.2): calls of g with its derivatives along one input after the other. g' of
 * `symbolic/tangent.ts` takes a direction for every Real input; that of an input alone is 1 there and 0 elsewhere.
 */
import { remember } from '../../collections/memo.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal } from '../../symbolic/function.ts';
import { Tangents } from '../../symbolic/tangent.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, type Specialisation } from '../core/context.ts';
import { mapLeaves, type Value } from '../core/values.ts';
import type { ArgumentByName } from './functions.ts';
import { specialise } from './specialise.ts';

/** The partial derivative that an entity is, for arguments of given sizes. */
export function partialDerivative(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const { base, by } = shapeOf(entity).derived!;
  const whole = specialise(base, args, values, node, context);
  if (!whole) return undefined;
  if (builder.unfinished.has(whole.index)) {
    const message = `\`${base.path}\` uses its own partial derivative \`${entity.path}\`.`;
    return refuse('cyclic-definition', message, node, context);
  }
  const known = remember(builder.specialisations, entity, () => new Map());
  const before = known.get(`${whole.index}`);
  if (before) return before;
  let of = whole.index;
  for (const variable of by) {
    const next = derivativeBy(builder, of, variable.text, entity.path);
    if (typeof next === 'string') {
      const message = `\`${base.path}\` cannot be differentiated by \`${variable.text}\`: ${next}.`;
      return refuse('not-differentiable', message, node, context);
    }
    of = next;
  }
  const { derived: _, ...last } = builder.functions[of]!;
  builder.functions[of] = { ...last, partial: { of: whole.index, by: by.map(({ text }) => text) } };
  const outputs = whole.outputs.map((value) => mapLeaves(value, (leaf) => ({ ...leaf, type: 'Real' })));
  const special: Specialisation = { index: of, outputs };
  known.set(`${whole.index}`, special);
  return special;
}

/** Adds the derivative of function number k by one of its inputs; gives its number, or why there is none. */
function derivativeBy(
  { pool, functions }: FlatBuilder,
  k: number,
  variable: string,
  name: string,
): number | string {
  const fn = functions[k]!;
  const along = new Tangents(functions).derivativeFunction(pool, k);
  if (along.fn === undefined) return along.reason;
  const inputs = fn.locals.slice(0, fn.inputs);
  const directions = inputs.flatMap(({ name: input, type, dims }) => {
    if (type !== 'Real') return [];
    if (dims.length === 0) return [input === variable ? pool.one : pool.zero];
    return [pool.apply('fill', pool.zero, ...dims.map((n) => pool.const(n)))];
  });
  const outputs = fn.locals.slice(fn.inputs, fn.inputs + fn.outputs);
  const definition: FunctionDef = {
    name,
    locals: [...inputs, ...outputs.map(slopeOf)],
    inputs: fn.inputs,
    outputs: fn.outputs,
    body: [
      {
        kind: 'multiassign',
        targets: outputs.map((_, o) => pool.local(fn.inputs + o)),
        fn: along.fn,
        args: [...inputs.map((_, i): Expr => pool.local(i)), ...directions],
        span: fn.span,
      },
    ],
    derived: true,
    span: fn.span,
  };
  return functions.push(definition) - 1;
}

/** What holds the derivative of a variable: a Real, whose unit is another one. */
const slopeOf = ({ name, dims }: FunctionLocal): FunctionLocal => ({
  name,
  type: 'Real',
  dims,
  initial: undefined,
});
