/**
 * Functions that are given as derivatives of others, `annotation(derivative = f_der)` (Modelica 3.6, section 12.7.1). Such a function has the inputs
 * of the other one, then the derivatives of those that contain Reals, and as outputs the derivatives of those outputs that contain Reals. It is translated
 * together with the other one. One that does not fit is told and left alone: functions can be differentiated without.
 */
import { warning } from '../../diagnostic/diagnostic.ts';
import { type ClassEntity, entityOf } from '../../model/classes/class.ts';
import { findClass, resolve } from '../../model/classes/lookup.ts';
import { componentType, inputsOf, outputsOf } from '../../model/classes/overloads.ts';
import { type DerivativeAnnotation, derivativeAnnotations } from '../../model/classes/settings.ts';
import { type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import type { GivenDerivative } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, contextOf, spanOf } from '../core/context.ts';
import { leaves, mapLeaves, type Value } from '../core/values.ts';
import { functionType } from './closures.ts';
import { type ArgumentByName, defaultOf } from './functions.ts';
import { refName } from './references.ts';
import { specialise } from './specialise.ts';

/** The derivatives that are given for a function, whose inputs have these values and whose outputs are like these. */
export function givenDerivatives(
  entity: ClassEntity,
  values: readonly Value[],
  outputs: readonly Value[],
  outer: Context,
): GivenDerivative[] {
  const annotations = derivativeAnnotations(entity.definition);
  if (annotations.length === 0) return [];
  const { builder } = outer;
  const context = contextOf(builder, { instance: undefined, lexical: entity }, outer.component, 'function');
  return annotations.flatMap((annotation) => {
    const plan = planOf(entity, annotation, values, outputs, context);
    if (typeof plan !== 'string') return translated(plan, values, outputs, context) ?? [];
    const span = spanOf(annotation.at, context);
    const isTold = builder.diagnostics.some(
      (other) => other.span?.source === span.source && other.span.start === span.start,
    );
    const message = `\`${refName(annotation.fn)}\` cannot be the derivative of \`${entity.path}\`: ${plan}.`;
    const hint = 'It is not used; the statements of the function are differentiated instead.';
    if (!isTold) builder.diagnostics.push(warning('bad-call', message, { span, hint }));
    return [];
  });
}

/** A function as the derivative of another one; inputs and outputs are those of its declaration. */
interface Plan {
  readonly fn: ClassEntity;
  readonly annotation: DerivativeAnnotation;
  readonly inputs: readonly ShapeComponent[];
  /** Names of the inputs of the function that is differentiated. */
  readonly names: readonly string[];
  readonly along: readonly number[];
  readonly pairs: readonly (readonly [number, number])[];
  /** By output of the function that is differentiated. */
  readonly outputs: readonly (number | undefined)[];
}

/** How a function is the derivative of another, or why it is not. */
function planOf(
  entity: ClassEntity,
  annotation: DerivativeAnnotation,
  values: readonly Value[],
  results: readonly Value[],
  { scope }: Context,
): Plan | string {
  const resolution = resolve(scope, annotation.fn);
  const fn = resolution.kind === 'class' ? entityOf(resolution.class) : undefined;
  if (!fn) return 'there is no such function';
  const { restriction, partial } = shapeOf(fn);
  if (!restriction.endsWith('function') || partial) return 'it is no function that can be called';
  const inputs = inputsOf(entity);
  const names = inputs.map(({ name }) => name);
  const { constant, ignored, order } = annotation;
  const unknown = [...constant, ...ignored].find((name) => !names.includes(name));
  if (unknown !== undefined) return `\`${entity.path}\` has no input \`${unknown}\``;
  const left = new Set([...constant, ...ignored]);
  const moving = inputs.flatMap(({ name }, i) => (hasReals(values[i]!) && !left.has(name) ? [i] : []));
  // A derivative of order n belongs to one of order n - 1, whose last inputs are derivatives themselves.
  const width = moving.length / order;
  if (!Number.isInteger(width)) return `its order cannot be ${order}`;
  const along = moving.slice(moving.length - width);
  const pairs = moving
    .slice(0, moving.length - width)
    .map((input, k): [number, number] => [input, moving[k + width]!]);
  const own = inputsOf(fn);
  const wanted = [...inputs, ...along.map((i) => inputs[i]!)];
  if (own.length < wanted.length || own.slice(wanted.length).some((input) => !defaultOf(input)))
    return `it has ${own.length} inputs, not ${wanted.length}`;
  const other = wanted.findIndex((input, k) => !isSameType(input, own[k]!));
  if (other >= 0) return `its input \`${own[other]!.name}\` has another type`;
  const whole = along.findIndex((i, k) => isReal(inputs[i]!) && !isReal(own[inputs.length + k]!));
  if (whole >= 0) return `its input \`${own[inputs.length + whole]!.name}\` is not Real`;
  const long = wanted.findIndex((input, k) => !isSameSize(input, own[k]!));
  if (long >= 0) return `its input \`${own[long]!.name}\` has another size`;
  let next = 0;
  const outputs = results.map((value) => (hasReals(value) ? next++ : undefined));
  const derived = outputsOf(fn);
  if (derived.length !== next) return `it has ${derived.length} outputs, not ${next}`;
  const differs = outputsOf(entity).some((output, k) => {
    const at = outputs[k];
    return at !== undefined && !isSameType(output, derived[at]!);
  });
  if (differs) return 'its outputs have other types';
  return { fn, annotation, inputs: own.slice(0, wanted.length), names, along, pairs, outputs };
}

const hasReals = (value: Value): boolean => leaves(value).some((leaf) => leaf.value.type === 'Real');

/** The function translated for the sizes of the other one; undefined where that cannot be done. */
function translated(
  plan: Plan,
  values: readonly Value[],
  results: readonly Value[],
  context: Context,
): GivenDerivative | undefined {
  const { builder } = context;
  const moving = [...plan.along.map((i) => values[i]!), ...results.filter(hasReals)];
  // Records that contain other things than Reals would have derivatives of another type.
  if (moving.some((value) => leaves(value).some((leaf) => leaf.value.type !== 'Real'))) return undefined;
  const derivatives = plan.along.map((i) =>
    mapLeaves(values[i]!, (leaf) => ({ ...leaf, expr: builder.pool.zero })),
  );
  const all = [...values, ...derivatives];
  const node = plan.annotation.at;
  const args = plan.inputs.map((component, k): ArgumentByName => ({ component, node, value: all[k]! }));
  const mark = builder.mark();
  const special = specialise(plan.fn, args, all, node, context);
  if (!special || builder.diagnostics.slice(mark[0]).some(({ severity }) => severity === 'error')) {
    builder.rewind(mark);
    return undefined;
  }
  const sizes = (list: readonly Value[]): string =>
    list.flatMap((value) => leaves(value).map((leaf) => leaf.value.dims.join('x'))).join();
  if (sizes(special.outputs) !== sizes(results.filter(hasReals))) return undefined;
  return given(plan, special.index, values, results);
}

/** The same in numbers of locals: records are replaced by their fields. */
function given(
  { along, pairs, outputs, annotation, names }: Plan,
  fn: number,
  values: readonly Value[],
  results: readonly Value[],
): GivenDerivative {
  const placesOf = (list: readonly Value[]): number[][] => {
    let next = 0;
    return list.map((value) => leaves(value).map(() => next++));
  };
  const places = placesOf(values);
  const named = (list: readonly string[]): number[] => list.flatMap((name) => places[names.indexOf(name)]!);
  const derived = placesOf(results.filter(hasReals));
  return {
    fn,
    along: along.flatMap((i) => places[i]!),
    constant: named(annotation.constant),
    ignored: named(annotation.ignored),
    pairs: pairs.flatMap(([a, b]) => places[a]!.map((place, e): [number, number] => [place, places[b]![e]!])),
    outputs: results.flatMap((value, k) =>
      leaves(value).map((_, e) => (outputs[k] === undefined ? undefined : derived[outputs[k]]![e])),
    ),
  };
}

const isReal = ({ lexical, clause }: ShapeComponent): boolean => {
  const type = findClass(lexical, clause.type);
  return type !== undefined && shapeOf(type).predefined === 'Real';
};

/** Whether two components can have the same sizes: those that are written as numbers are compared. */
function isSameSize(a: ShapeComponent, b: ShapeComponent): boolean {
  const sizes = ({ declaration, clause }: ShapeComponent): readonly ast.Subscript[] => [
    ...declaration.subscripts,
    ...clause.subscripts,
  ];
  const others = sizes(b);
  return sizes(a).every((size, d) => {
    const other = others[d];
    return size.kind !== 'number' || other?.kind !== 'number' || size.value === other.value;
  });
}

/** Whether two components are declared with the same type and number of dimensions. */
function isSameType(a: ShapeComponent, b: ShapeComponent): boolean {
  if (functionType(a) || functionType(b))
    return functionType(a) !== undefined && functionType(b) !== undefined;
  const [one, other] = [componentType(a), componentType(b)];
  return one?.key === other?.key && one?.rank === other?.rank;
}
