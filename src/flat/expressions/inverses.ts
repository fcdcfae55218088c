/**
 * Functions that are given as inverses of others, `annotation(inverse(u = f_inv(y, v)))` (Modelica 3.6, section 12.8): an equation with a call of the function is
 * solved for that argument by a call of the other one. Scalar Reals alone are looked at, and whatever does not fit is left alone: such equations are solved by
 * Newton's method.
 */
import { type ClassEntity, entityOf } from '../../model/classes/class.ts';
import { resolve } from '../../model/classes/lookup.ts';
import { inputsOf, outputsOf } from '../../model/classes/overloads.ts';
import { type InverseAnnotation, inverseAnnotations } from '../../model/classes/settings.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { GivenInverse } from '../../symbolic/function.ts';
import { type Context, contextOf } from '../core/context.ts';
import { type Simple, simple, type Value } from '../core/values.ts';
import type { ArgumentByName } from './functions.ts';
import { specialise } from './specialise.ts';

/** The inverses that are given for a function, whose inputs have these values and whose outputs are like these. */
export function givenInverses(
  entity: ClassEntity,
  values: readonly Value[],
  outputs: readonly Value[],
  outer: Context,
): GivenInverse[] {
  const annotations = inverseAnnotations(entity.definition);
  if (annotations.length === 0 || ![...values, ...outputs].every(isScalar)) return [];
  const { builder } = outer;
  const context = contextOf(builder, { instance: undefined, lexical: entity }, outer.component, 'function');
  return annotations.flatMap((annotation) => inverseOf(entity, annotation, context) ?? []);
}

const isScalar = (value: Value): value is Simple => value.kind === 'simple' && value.dims.length === 0;

function inverseOf(
  entity: ClassEntity,
  { input, call }: InverseAnnotation,
  context: Context,
): GivenInverse | undefined {
  const { builder, scope } = context;
  const inputs = inputsOf(entity).map(({ name }) => name);
  const [output] = outputsOf(entity);
  const resolution = resolve(scope, call.callee);
  const fn = resolution.kind === 'class' ? entityOf(resolution.class) : undefined;
  if (!fn || !output || !inputs.includes(input)) return undefined;
  const { restriction, partial } = shapeOf(fn);
  if (!restriction.endsWith('function') || partial || outputsOf(fn).length !== 1) return undefined;
  const places = inputsOf(fn).map(({ name }, k) => {
    const arg = call.positional[k] ?? call.named.find((one) => one.name.text === name)?.value;
    return arg?.kind === 'ref' && arg.parts.length === 1
      ? [...inputs, output.name].indexOf(arg.parts[0]!.name)
      : -1;
  });
  // It is computed from the output and the other inputs.
  const isUsable = places.every((place) => place >= 0 && place !== inputs.indexOf(input));
  if (!isUsable || !places.includes(inputs.length)) return undefined;
  const mark = builder.mark();
  const args = inputsOf(fn).map((component): ArgumentByName => {
    const value = simple(builder.pool.zero, 'Real', 'continuous');
    return { component, node: call, value };
  });
  const special = specialise(
    fn,
    args,
    args.map(({ value }) => value),
    call,
    context,
  );
  const isWrong = builder.diagnostics.slice(mark[0]).some(({ severity }) => severity === 'error');
  if (!special || isWrong || !special.outputs.every(isScalar)) {
    builder.rewind(mark);
    return undefined;
  }
  return { fn: special.index, input: inputs.indexOf(input), args: places };
}
