/**
 * The variables of a function while it is translated (Modelica 3.6, section 12.4.4). Values with which variables begin are computed in an order in which nothing is
 * used before it has its value, whatever the order of declaration; those of outputs that need protected variables become assignments before all others.
 */
import { sameItems } from '../../collections/lists.ts';
import { assignedNames, mentionedBy, ordered } from '../../model/classes/functions.ts';
import {
  modifiedMember,
  modifierOfField,
  type Shape,
  type ShapeComponent,
} from '../../model/classes/shape.ts';
import { dimsName } from '../../model/value.ts';
import type { Local } from '../../symbolic/expr.ts';
import type { FunctionLocal, FunctionStatement } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode } from '../../syntax/walk.ts';
import { type Context, type FlatBuilder, report, spanOf, withLocal } from '../core/context.ts';
import {
  arrayLike,
  isUnknown,
  leaves,
  mapLeaves,
  type RecordValue,
  storage,
  typeName,
  type Value,
} from '../core/values.ts';
import { isObject } from '../flat.ts';
import { assignable } from './bindings.ts';
import { literalValue } from './constants.ts';
import { likeDeclared } from './declared.ts';
import { expression } from './expressions.ts';
import { type Default, declaredType, declaredUnits, defaultOf, typeOf } from './functions.ts';

/** Collects the variables of a function while it is translated. */
export class Locals {
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
        ...(typeof leaf.type === 'object' && isObject(leaf.type) && { object: leaf.type.path }),
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

export interface DeclaredLocals {
  readonly outputs: readonly Value[];
  /** Protected variables, in the order of their declarations. */
  readonly own: readonly Value[];
  /** How many variables the outputs are. */
  readonly outputCount: number;
  /** Assignments of values that could not be given where variables are declared. */
  readonly later: readonly FunctionStatement[];
}

/** Declares the outputs and then the protected variables of a function; `ifNone` is called where there are no outputs. */
export function declareLocals(shape: Shape, locals: Locals, ifNone: () => void): DeclaredLocals | undefined {
  const foreseen = foresee(shape, locals);
  const components = [...shape.components.values()].filter(({ clause }) => clause.causality !== 'input');
  const { order, ring } = ordered(components);
  if (ring.length > 0) {
    const [first] = ring;
    const names = ring.map(({ name }) => `\`${name}\``).join(', ');
    const message = `The values of ${names} depend on each other: there is no order in which they could be computed.`;
    report('cyclic-definition', message, first!.declaration, inside(locals.context, first!));
    return undefined;
  }
  const isOutput = ({ clause }: ShapeComponent): boolean => clause.causality === 'output';
  const before = locals.list.length;
  const late = lateOnes(order, components.filter(isOutput), foreseen);
  const outputs = declareAll(components.filter(isOutput), shape, locals, late);
  const outputCount = locals.list.length - before;
  if (!outputs) return undefined;
  if (outputCount === 0) ifNone();
  const own = declareAll(
    order.filter((component) => !isOutput(component)),
    shape,
    locals,
    late,
  );
  if (!own) return undefined;
  const later: FunctionStatement[] = [];
  for (const component of order) {
    if (!late.has(component.name)) continue;
    const assigned = laterValue(component, outputs.get(component.name) ?? own.get(component.name)!, locals);
    if (!assigned) return undefined;
    later.push(...assigned);
  }
  const declared = components.filter((component) => !isOutput(component));
  return {
    outputs: [...outputs.values()],
    own: declared.map(({ name }) => own.get(name)!),
    outputCount,
    later,
  };
}

/** Protected Integers that never change and follow from sizes are known before all else: sizes and defaults of outputs may name them. */
function foresee(shape: Shape, locals: Locals): ReadonlySet<ShapeComponent> {
  const { builder } = locals.context;
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
  return foreseen;
}

/** What may be called by a value that is known in advance. */
const foreseeable: ReadonlySet<string> = new Set('size ndims max min abs div mod rem integer'.split(' '));

/** Declares the outputs alone, for the sake of their sizes. */
export function declareOutputs(shape: Shape, locals: Locals): Value[] | undefined {
  const outputs = [...shape.components.values()].filter(({ clause }) => clause.causality === 'output');
  const declared = declareAll(outputs, shape, locals, new Set(outputs.map(({ name }) => name)));
  return declared && [...declared.values()];
}

/** The same, with those that have no such order at the end. */
export function inOrder(components: readonly ShapeComponent[]): ShapeComponent[] {
  if (components.every((component) => !defaultOf(component))) return [...components];
  const { order, ring } = ordered(components);
  return [...order, ...ring];
}

/** Outputs whose values use what is declared after them, and whatever uses these. */
function lateOnes(
  order: readonly ShapeComponent[],
  outputs: readonly ShapeComponent[],
  foreseen: ReadonlySet<ShapeComponent>,
): Set<string> {
  const late = new Set<string>();
  const ready = new Set<string>();
  const others = new Set(order.map(({ name }) => name));
  for (const { name } of [...outputs, ...foreseen]) others.delete(name);
  for (const component of outputs) {
    const used = [...mentionedBy(component)];
    const waits = (name: string) =>
      others.has(name) || outputs.some((o) => o.name === name && !ready.has(name) && o !== component);
    if (defaultOf(component) && used.some(waits)) late.add(component.name);
    else ready.add(component.name);
  }
  for (const component of order)
    if (defaultOf(component) && [...mentionedBy(component)].some((name) => late.has(name)))
      late.add(component.name);
  return late;
}

function declareAll(
  components: readonly ShapeComponent[],
  shape: Shape,
  locals: Locals,
  late: ReadonlySet<string>,
): Map<string, Value> | undefined {
  const result = new Map<string, Value>();
  const assigned = assignedNames(shape);
  for (const component of components) {
    const { name } = component;
    const initial = late.has(name) ? undefined : defaultOf(component);
    const value = declareLocal(component, initial, locals, !assigned.has(name));
    if (!value) return undefined;
    result.set(name, value);
  }
  return result;
}

const inside = (context: Context, { lexical }: { readonly lexical: Default['lexical'] }): Context => ({
  ...context,
  scope: { instance: undefined, lexical },
});

/** An output or protected variable of a function, with its value; one that never changes is known by it. */
function declareLocal(
  component: ShapeComponent,
  initial: Default | undefined,
  locals: Locals,
  unchanging: boolean,
): Value | undefined {
  const { builder } = locals.context;
  const value = initial && expression(initial.expr, inside(locals.context, initial));
  if (value && isUnknown(value)) return undefined;
  const like = likeDeclared(component, locals.context, value);
  if (!like || (value && !fits(value, like, component, initial!, locals.context))) return undefined;
  const result = locals.add(component, like);
  if (value) locals.begin(result, value);
  else if (result.kind === 'record') beginFields(component, result, locals);
  const isInteger = like.kind === 'simple' && like.type === 'Integer';
  const constant = value?.kind === 'simple' && literalValue(builder, value.expr) !== undefined;
  if (unchanging && isInteger && constant) locals.context = withLocal(locals.context, component.name, value);
  return result;
}

/** Assigns its value to a variable when all others are declared. */
function laterValue(
  component: ShapeComponent,
  variable: Value,
  { context }: Locals,
): FunctionStatement[] | undefined {
  const initial = defaultOf(component)!;
  const value = expression(initial.expr, inside(context, initial));
  if (isUnknown(value) || !fits(value, variable, component, initial, context)) return undefined;
  const values = new Map(leaves(value).map((leaf) => [leaf.name, leaf.value.expr]));
  const span = spanOf(initial.expr, inside(context, initial));
  return leaves(variable).map((leaf) => ({
    kind: 'assign',
    target: leaf.value.expr as Local,
    value: values.get(leaf.name)!,
    span,
  }));
}

/** Whether the value that a variable begins with has its declared type and sizes. */
function fits(
  value: Value,
  like: Value,
  component: ShapeComponent,
  initial: Default,
  place: Context,
): boolean {
  const wanted = new Map(leaves(like, component.name).map((leaf) => [leaf.name, leaf.value]));
  const given = leaves(value, component.name);
  const context = inside(place, initial);
  for (const leaf of given) {
    const { dims, type } = leaf.value;
    const own = wanted.get(leaf.name);
    if (own && !sameItems(own.dims, dims)) {
      const message = `\`${leaf.name}\` has the sizes ${dimsName(own.dims)} but its value has ${dimsName(dims)}.`;
      report('dimension-mismatch', message, initial.expr, context);
      return false;
    }
    if (!own || !assignable(own.type, type) || given.length !== wanted.size) {
      const message = `\`${component.name}\` is ${typeName(like)} but is given ${typeName(value)}.`;
      report('type-mismatch', message, initial.expr, context);
      return false;
    }
  }
  return true;
}

/** A record without a value begins with those that modifiers of the declaration give to its fields, or the record itself. */
function beginFields(component: ShapeComponent, record: RecordValue, locals: Locals): void {
  const { builder } = locals.context;
  const declared = declaredType(builder, component);
  let siblings: Context = { ...locals.context, locals: undefined };
  for (const [name, field] of record.fields) siblings = withLocal(siblings, name, field);
  for (const member of inOrder([...(declared?.shape.components.values() ?? [])])) {
    const { name } = member;
    const field = record.fields.get(name)!;
    const given = modifierOfField(component, name);
    const own = given ?? defaultOf(member);
    if (!own) {
      if (field.kind === 'record') beginFields(modifiedMember(component, member), field, locals);
      continue;
    }
    const value = expression(own.expr, inside(given ? locals.context : siblings, own));
    if (isUnknown(value)) continue;
    const missing = field.dims.slice(0, field.dims.length - value.dims.length);
    const { pool } = builder;
    const sizes = missing.map((n) => pool.const(n));
    const whole =
      sizes.length === 0 ? value : arrayLike(value, missing, (expr) => pool.apply('fill', expr, ...sizes));
    locals.begin(field, whole);
    // Others use the value itself: fields get theirs in the order of declaration.
    siblings = withLocal(siblings, name, whole);
  }
}
