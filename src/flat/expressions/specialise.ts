/**
 * User functions translated for fixed sizes. What makes two translations differ is the sizes of the arguments and the values
 * of those inputs on which sizes inside depend; which inputs these are shows during translation, which then starts
 * again with their values.
 */
import { sameItems } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import { assignedNames } from '../../model/classes/functions.ts';
import { outputsOf } from '../../model/classes/overloads.ts';
import { smoothOrder } from '../../model/classes/settings.ts';
import { modifierOfField, type Shape, type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import { dimsOf } from '../../model/value.ts';
import type { Local } from '../../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode } from '../../syntax/walk.ts';
import {
  type Context,
  contextOf,
  type FlatBuilder,
  report,
  reportSize,
  type Specialisation,
  withLocal,
} from '../core/context.ts';
import {
  arrayLike,
  dimsName,
  isUnknown,
  leaves,
  mapLeaves,
  type RecordValue,
  type Simple,
  simple,
  storage,
  type Value,
} from '../core/values.ts';
import { closureKeys } from './closures.ts';
import { fixedNumber, fixedValue, literalValue } from './constants.ts';
import { likeDeclared } from './declared.ts';
import { givenDerivatives } from './derivatives.ts';
import { expression } from './expressions.ts';
import { destruction, ending, foreignBody, handedOver } from './foreign.ts';
import {
  type ArgumentByName,
  type Default,
  declaredType,
  declaredUnits,
  defaultOf,
  doneOutput,
  typeOf,
} from './functions.ts';
import { inliningOf } from './inlining.ts';
import { dataValue, interpretation, interpreted, isHandedOver, tangentOf } from './interpreted.ts';
import { needsValue } from './iteration.ts';
import { partialDerivative } from './partials.ts';
import { checkedSizes, sizeAssertions } from './sizes.ts';
import { functionBody } from './statements.ts';

export function specialise(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  if (shapeOf(entity).derived) return partialDerivative(entity, args, values, node, context);
  const inputs = args.map((arg) => arg.component);
  const open = checkedSizes(entity, args, values, context);
  if (!open) return undefined;
  let slot: number | undefined;
  for (;;) {
    const start = builder.mark();
    const sizing = builder.sizing.get(entity) ?? new Set<string>();
    const fixed = fixedInputs(entity, args, values, sizing, context);
    if (!fixed) return sizedAtRun(entity, args, values, { start, slot }, node, context);
    const sizes = values.flatMap((value) => leaves(value).map((leaf) => leaf.value.dims.join('x')));
    const closures = values.flatMap((value) => closureKeys(builder, value));
    const known = [...fixed.values()].map((value) => `=${value.expr.id}`);
    const key = [...closures, ...sizes, ...known, ...open.map(({ name }) => `?${name}`)].join(',');
    const before = builder.specialisations.get(entity)?.get(key);
    if (before) return before;
    const mark = builder.mark();
    const needed = new Set<string>();
    const attempt: Attempt = { entity, fixed, needed, key, slot, open };
    const result = translateFunction(attempt, inputs, values, node, context);
    if (needed.size === 0) {
      const other = sizedAtRun(entity, args, values, { start, slot: result?.index ?? slot }, node, context);
      if (other && result) builder.specialisations.get(entity)?.set(key, other);
      return other ?? result;
    }
    // Sizes inside depend on values of inputs: once more, in the same place, with these known.
    builder.rewind(mark);
    slot = result?.index ?? slot;
    builder.specialisations.get(entity)?.delete(key);
    builder.sizing.set(entity, new Set([...sizing, ...needed]));
  }
}

/** The function interpreted, where all that keeps it from being translated is sizes that are known only when it runs. */
function sizedAtRun(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  { start, slot }: { readonly start: ReturnType<FlatBuilder['mark']>; readonly slot: number | undefined },
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const problems = builder.diagnostics.slice(start[0]);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0 || !errors.every((problem) => builder.sizesAtRun.has(problem))) return undefined;
  if (!values.every(isHandedOver) || shapeOf(entity).external) return undefined;
  builder.rewind(start);
  const special = interpretedFunction(entity, args, values, slot, node, context);
  if (special) return special;
  builder.rewind(start);
  builder.diagnostics.push(...problems);
  return undefined;
}

function interpretedFunction(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  slot: number | undefined,
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const place = contextOf(builder, { instance: undefined, lexical: entity }, context.component, 'function');
  const locals = new Locals(builder, place);
  const inputs = new Map(args.map(({ component }, i) => [component.name, locals.add(component, values[i]!)]));
  const inputCount = locals.list.length;
  const outputs =
    flexibleOutputs(entity, args, values, locals, node) ?? sizedOutputs(entity, args, values, locals);
  if (!outputs?.every(isHandedOver)) return undefined;
  const outputCount = locals.list.length - inputCount;
  const written = new Map(outputsOf(entity).map(({ name }, k) => [name, outputs[k]!]));
  const span = entity.span(entity.definition.name);
  const implementation = interpretation(entity, inputs, written, node);
  const tangent = tangentOf(entity, inputs, written, node);
  const base = { path: entity.path, name: entity.path, implementation, tangent, span };
  const variables = locals.list.length;
  const { statements, added } = handedOver(builder, base, [...inputs.values()], written, variables);
  const index = slot ?? builder.functions.length;
  builder.functions[index] = {
    name: entity.path,
    locals: [...locals.list, ...added].map((local) => ({ ...local, initial: undefined })),
    inputs: inputCount,
    outputs: outputCount,
    body: statements,
    smooth: smoothOrder(entity.definition),
    span,
  };
  return { index, outputs };
}

/** Outputs with the sizes that are declared, by inputs whose values are known; undefined where they are not known. */
function sizedOutputs(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  locals: Locals,
): Value[] | undefined {
  const { builder } = locals.context;
  for (const [i, { component }] of args.entries()) {
    const value = values[i]!;
    if (value.kind !== 'simple' || !builder.sizing.get(entity)?.has(component.name)) continue;
    const n = value.dims.length === 0 ? fixedNumber(builder, value.expr) : undefined;
    if (n === undefined) continue;
    const known = simple(builder.pool.const(n), value.type, 'constant');
    locals.context = withLocal(locals.context, component.name, known);
  }
  const start = builder.mark();
  const outputs = declareLocals(builder, shapeOf(entity), locals, true);
  return builder.diagnostics.length > start[0] ? undefined : outputs;
}

/** Outputs with the sizes that they have for arguments of fixed values, where some of them have sizes that may change. */
function flexibleOutputs(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  locals: Locals,
  node: ast.Node,
): Value[] | undefined {
  const { builder } = locals.context;
  const flexible = flexibleIn(shapeOf(entity));
  const components = outputsOf(entity);
  if (!components.some(({ name }) => flexible.has(name))) return undefined;
  const known = values.map((value) => {
    const data = value.kind === 'simple' ? fixedValue(builder, value.expr) : undefined;
    return data && value.kind === 'simple' ? dataValue(value, data.items) : undefined;
  });
  if (known.includes(undefined)) return undefined;
  const given = new Map(args.map(({ component }, i) => [component.name, known[i]!]));
  const results = interpreted(entity, given, node);
  const outputs = components.map((component) => {
    const type = typeOf(declaredType(builder, component)!.shape);
    const dims = dimsOf(results.get(component.name)!);
    return type && locals.add(component, simple(builder.pool.zero, type, 'continuous', dims));
  });
  return outputs.includes(undefined) ? undefined : (outputs as Value[]);
}

/** One try at translating a function: with inputs of known values, to find out which others must be known. */
interface Attempt {
  readonly entity: ClassEntity;
  readonly fixed: ReadonlyMap<string, Simple>;
  readonly needed: Set<string>;
  readonly key: string;
  /** The place among the functions that an earlier try took. */
  readonly slot: number | undefined;
  /** Sizes of arguments that are to be checked when it runs. */
  readonly open: NonNullable<ReturnType<typeof checkedSizes>>;
}

/** The values of those inputs on which sizes inside the function depend; undefined where one is not known. */
function fixedInputs(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  values: readonly Value[],
  sizing: ReadonlySet<string>,
  context: Context,
): Map<string, Simple> | undefined {
  const fixed = new Map<string, Simple>();
  for (const [i, value] of values.entries()) {
    const { name } = args[i]!.component;
    if (!sizing.has(name) || value.kind !== 'simple') continue;
    if (needsValue(value.expr, context)) return undefined;
    const n = value.dims.length === 0 ? fixedNumber(context.builder, value.expr) : undefined;
    if (n === undefined) {
      const message = `Sizes in \`${entity.path}\` depend on \`${name}\`, which is not known before the simulation.`;
      return reportSize('unsupported', message, args[i]!.node, context);
    }
    fixed.set(name, simple(context.builder.pool.const(n), value.type, 'constant'));
  }
  return fixed;
}

/** Collects the variables of a function while it is translated. */
class Locals {
  readonly list: FunctionLocal[] = [];

  constructor(
    private readonly builder: FlatBuilder,
    public context: Context,
  ) {}

  /** Adds a variable shaped like a value; its fields become variables of their own. */
  add(component: ShapeComponent, like: Value): Value {
    const { name } = component;
    const paths = leaves(like, name);
    const units = declaredUnits(this.builder, component);
    let next = 0;
    const value = mapLeaves(like, (leaf) => {
      const index = this.list.length;
      const path = paths[next++]!.name;
      const unit = units.get(path);
      this.list.push({
        name: path,
        type: storage(leaf.type),
        dims: leaf.dims,
        initial: undefined,
        ...(unit !== undefined && { unit }),
      });
      return { ...leaf, expr: this.builder.pool.local(index), variability: 'continuous' };
    });
    this.context = withLocal(this.context, name, value);
    return value;
  }

  /** Gives variables the values with which they begin. */
  begin(variables: Value, values: Value): void {
    const given = new Map(leaves(values).map(({ name, value }) => [name, value.expr]));
    for (const { name, value } of leaves(variables)) {
      const { index } = value.expr as Local;
      this.list[index] = { ...this.list[index]!, initial: given.get(name) };
    }
  }
}

function translateFunction(
  { entity, fixed, needed, key, slot, open }: Attempt,
  inputs: readonly ShapeComponent[],
  values: readonly Value[],
  node: ast.Node,
  context: Context,
): Specialisation | undefined {
  const { builder } = context;
  const shape = shapeOf(entity);
  const owners: string[] = [];
  const place = contextOf(builder, { instance: undefined, lexical: entity }, context.component, 'function');
  const locals = new Locals(builder, { ...place, sizing: { needed, owners }, flexible: flexibleIn(shape) });
  for (const [i, value] of values.entries()) {
    locals.add(inputs[i]!, value);
    while (owners.length < locals.list.length) owners.push(inputs[i]!.name);
  }
  const inputCount = locals.list.length;
  for (const [name, value] of fixed) locals.context = withLocal(locals.context, name, value);
  foresee(builder, shape, locals);
  const outputs = declareLocals(builder, shape, locals, true);
  const outputCount = locals.list.length - inputCount;
  if (!outputs) return undefined;
  if (outputCount === 0) locals.list.push(doneOutput(builder));
  const own = declareLocals(builder, shape, locals, false);
  if (!own) return undefined;
  const special: Specialisation = { index: slot ?? builder.functions.length, outputs };
  const unfinished: FunctionDef = {
    name: entity.path,
    locals: locals.list,
    inputs: inputCount,
    outputs: Math.max(1, outputCount),
    body: [notYet(builder)],
    smooth: smoothOrder(entity.definition),
    inline: inliningOf(entity),
    span: entity.span(entity.definition.name),
  };
  builder.functions[special.index] = unfinished;
  // Known before the body is translated: the function may call itself.
  remember(builder.specialisations, entity, () => new Map()).set(key, special);
  if (shape.external) {
    const { external, lexical } = shape.external;
    const inner: Context = { ...locals.context, scope: { instance: undefined, lexical } };
    const foreign = foreignBody(entity, external, locals.list.length, inner);
    if (!foreign) return undefined;
    const { statements, added, clause } = foreign;
    const all = [...locals.list, ...added];
    builder.functions[special.index] = { ...unfinished, locals: all, body: statements, clause };
    return special;
  }
  const body: FunctionStatement[] = sizeAssertions(open, locals.context);
  builder.unfinished.add(special.index);
  for (const { section, lexical } of shape.sections) {
    if (section.kind !== 'algorithm') {
      report('unsupported', `The function \`${entity.path}\` has equations.`, node, context);
      continue;
    }
    const inner: Context = { ...locals.context, scope: { instance: undefined, lexical } };
    body.push(...functionBody(section.statements, inner));
  }
  builder.unfinished.delete(special.index);
  const finished = { ...unfinished, body: ending(body, destructions(shape, own, locals.context)) };
  builder.functions[special.index] = finished;
  const given = needed.size === 0 ? givenDerivatives(entity, values, outputs, context) : [];
  if (given.length > 0) builder.functions[special.index] = { ...finished, given };
  return special;
}

/** Objects that a function makes live as long as a call of it; `own` are its protected variables. */
function destructions(shape: Shape, own: readonly Value[], context: Context): FunctionStatement[] {
  const components = [...shape.components.values()].filter(({ clause }) => clause.causality === undefined);
  return components.flatMap((component, k) => destruction(component, own[k]!, context) ?? []).reverse();
}

/** Names of the variables of a function whose sizes may change: declared with `:`, and no inputs. */
const flexibleIn = ({ components }: Shape): ReadonlySet<string> =>
  new Set(
    [...components.values()].flatMap(({ name, clause, declaration }) => {
      const subscripts = [...declaration.subscripts, ...clause.subscripts];
      const isFlexible = clause.causality !== 'input' && subscripts.some(({ kind }) => kind === 'colon');
      return isFlexible ? [name] : [];
    }),
  );

/** The body of a function that is being translated: it cannot be run before it is finished. */
function notYet({ pool }: FlatBuilder): FunctionStatement {
  return { kind: 'assert', condition: pool.zero, message: pool.text('not translated yet'), span: undefined };
}

/** Declares the outputs, or the protected variables, of a function. */
function declareLocals(
  builder: FlatBuilder,
  shape: Shape,
  locals: Locals,
  output: boolean,
): Value[] | undefined {
  const result: Value[] = [];
  const assigned = assignedNames(shape);
  for (const component of shape.components.values()) {
    const { causality } = component.clause;
    if (causality === 'input' || (causality === 'output') !== output) continue;
    const value = declareLocal(builder, component, locals, !assigned.has(component.name));
    if (!value) return undefined;
    result.push(value);
  }
  return result;
}

/** Protected Integers that never change and follow from sizes are known before all else: sizes and defaults of outputs may name them. */
function foresee(builder: FlatBuilder, shape: Shape, locals: Locals): void {
  const assigned = assignedNames(shape);
  const waiting = new Set(
    [...shape.components.values()].filter(
      ({ name, clause }) => clause.causality === undefined && !assigned.has(name),
    ),
  );
  const isKnown = (node: ast.Node): boolean =>
    [...everyNode(node)].every((part) => {
      if (part.kind === 'call') return 'callee' in part && foreseeable.has(part.callee.parts[0]!.name);
      const component = part.kind === 'ref' ? shape.components.get(part.parts[0]!.name) : undefined;
      return !component || component.clause.causality === 'input' || foreseen.has(component);
    });
  const foreseen = new Set<ShapeComponent>();
  for (let before = -1; before < foreseen.size; ) {
    before = foreseen.size;
    for (const component of waiting) {
      const initial = defaultOf(component);
      const type = initial && isKnown(initial.expr) ? declaredType(builder, component) : undefined;
      if (!initial || !type || typeOf(type.shape) !== 'Integer' || type.subscripts.length > 0) continue;
      const scope = { instance: undefined, lexical: initial.lexical };
      const value = expression(initial.expr, { ...locals.context, scope });
      waiting.delete(component);
      if (value.kind !== 'simple' || literalValue(builder, value.expr) === undefined) continue;
      locals.context = withLocal(locals.context, component.name, value);
      foreseen.add(component);
    }
  }
}

/** What may be called by a value that is known in advance. */
const foreseeable: ReadonlySet<string> = new Set('size ndims max min abs div mod rem integer'.split(' '));

/** An output or protected variable of a function, with its default; one that never changes is known by its value. */
function declareLocal(
  builder: FlatBuilder,
  component: ShapeComponent,
  locals: Locals,
  unchanging: boolean,
): Value | undefined {
  const initial = defaultOf(component);
  const value =
    initial &&
    expression(initial.expr, {
      ...locals.context,
      scope: { instance: undefined, lexical: initial.lexical },
    });
  if (value && isUnknown(value)) return undefined;
  const like = likeDeclared(component, locals.context, value);
  if (!like || (value && !hasSizes(value, like, component, initial!, locals.context))) return undefined;
  const result = locals.add(component, like);
  if (value) locals.begin(result, value);
  else if (result.kind === 'record') beginFields(component, result, locals);
  const isInteger = like.kind === 'simple' && like.type === 'Integer';
  const constant = value?.kind === 'simple' && literalValue(builder, value.expr) !== undefined;
  if (unchanging && isInteger && constant) locals.context = withLocal(locals.context, component.name, value);
  return result;
}

/** Whether the value that a variable begins with has its declared sizes. */
function hasSizes(
  value: Value,
  like: Value,
  component: ShapeComponent,
  { expr, lexical }: Default,
  place: Context,
): boolean {
  const wanted = new Map(leaves(like, component.name).map((leaf) => [leaf.name, leaf.value.dims]));
  for (const leaf of leaves(value, component.name)) {
    const { dims } = leaf.value;
    if (sameItems(wanted.get(leaf.name) ?? dims, dims)) continue;
    const message = `\`${leaf.name}\` has the sizes ${dimsName(wanted.get(leaf.name)!)} but its value has ${dimsName(dims)}.`;
    report('dimension-mismatch', message, expr, { ...place, scope: { instance: undefined, lexical } });
    return false;
  }
  return true;
}

/** A record without a value begins with those that modifiers of the declaration give to its fields, or the record itself. */
function beginFields(component: ShapeComponent, record: RecordValue, locals: Locals): void {
  const { builder } = locals.context;
  const declared = declaredType(builder, component);
  let siblings: Context = { ...locals.context, locals: undefined };
  for (const [name, field] of record.fields) siblings = withLocal(siblings, name, field);
  for (const [name, member] of declared?.shape.components ?? []) {
    const field = record.fields.get(name)!;
    const given = modifierOfField(component, name);
    const own = given ?? defaultOf(member);
    if (!own) {
      if (field.kind === 'record') beginFields(member, field, locals);
      continue;
    }
    const context = given ? locals.context : siblings;
    const value = expression(own.expr, { ...context, scope: { instance: undefined, lexical: own.lexical } });
    if (isUnknown(value)) continue;
    const missing = field.dims.slice(0, field.dims.length - value.dims.length);
    const { pool } = builder;
    const sizes = missing.map((n) => pool.const(n));
    const whole =
      sizes.length === 0 ? value : arrayLike(value, missing, (expr) => pool.apply('fill', expr, ...sizes));
    locals.begin(field, whole);
  }
}
