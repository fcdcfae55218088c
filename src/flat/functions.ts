/**
 * User functions and record constructors (Modelica 3.6, chapter 12). A function is translated once for each combination of
 * argument sizes (and of those Integer arguments on which sizes depend); records among its variables are replaced
 * by their fields. A call with arrays where scalars are declared applies the function to each element (12.4.6).
 */
import { type ClassEntity, entityOf } from '../model/class.ts';
import type { ObjectInstance } from '../model/instance.ts';
import { findClass, unknownClass } from '../model/lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../model/shape.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef, FunctionLocal, FunctionStatement } from '../symbolic/function.ts';
import type * as ast from '../syntax/ast.ts';
import { assignable } from './bindings.ts';
import { applyBuiltin } from './builtins.ts';
import { type Argument, matchSlots } from './calls.ts';
import { fixedNumber, literalValue } from './constants.ts';
import { type Builder, type Context, contextOf, type Specialisation, withLocal } from './context.ts';
import { expression } from './expressions.ts';
import { needsValue } from './iteration.ts';
import { elementsOf, requiredInteger, stacked } from './references.ts';
import { statements } from './statements.ts';
import {
  count,
  dimsName,
  isUnknown,
  join,
  leaves,
  mapLeaves,
  nameOf,
  type Simple,
  sameDims,
  simple,
  storage,
  type Type,
  typeName,
  type Value,
} from './values.ts';

/** All outputs of a call: `first` is the number of the first scalar or array output that belongs to each. */
export interface Outputs {
  readonly fn: number;
  readonly args: readonly Expr[];
  /** Number of outputs after records were replaced by their fields. */
  readonly count: number;
  readonly values: readonly { readonly first: number; readonly value: Value }[];
}

export function callFunction(
  builder: Builder,
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
  holder?: ObjectInstance,
): Value {
  const args = functionArguments(builder, entity, node, context, holder);
  if (!args) return builder.unknown;
  const external = shapeOf(entity).external;
  if (external) return externalCall(builder, entity, external.external, args, node, context);
  const excess = vectorised(builder, entity, args, node, context);
  if (excess === undefined) return builder.unknown;
  if (excess.length === 0) {
    const outputs = applyFunction(builder, entity, args, node, context);
    if (!outputs) return builder.unknown;
    const first = outputs.values[0];
    return first?.value ?? builder.report('bad-call', `\`${entity.path}\` has no output.`, node, context);
  }
  return applyElementwise(builder, entity, args, excess, node, context);
}

/** All outputs of a call, for `(a, b) = f(x)`. */
export function callOutputs(
  builder: Builder,
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
  holder?: ObjectInstance,
): Outputs | undefined {
  const args = functionArguments(builder, entity, node, context, holder);
  if (!args) return undefined;
  if (shapeOf(entity).external) {
    builder.report(
      'unsupported',
      `The external function \`${entity.path}\` is not supported.`,
      node,
      context,
    );
    return undefined;
  }
  return applyFunction(builder, entity, args, node, context);
}

/** `R(a, b = 2)`: a record from its fields. */
export function constructRecord(
  builder: Builder,
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
): Value {
  const components = [...shapeOf(entity).components.values()];
  const args = matchDeclared(builder, entity, components, node, context);
  if (!args) return builder.unknown;
  const fields = new Map<string, Value>();
  for (const [i, component] of components.entries()) {
    const value = args[i]!.value;
    if (isUnknown(value)) return builder.unknown;
    const field = fitted(builder, component, value, args[i]!.node, context);
    if (!field) return builder.unknown;
    fields.set(component.name, field);
  }
  return { kind: 'record', path: entity.path, dims: [], fields };
}

// ---------------------------------------------------------------- arguments

interface Named extends Argument {
  readonly component: ShapeComponent;
}

function functionArguments(
  builder: Builder,
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
  holder: ObjectInstance | undefined,
): Named[] | undefined {
  const inputs = [...shapeOf(entity).components.values()].filter((c) => c.clause.causality === 'input');
  return matchDeclared(builder, entity, inputs, node, context, holder);
}

/**
 * Arguments for declared components; missing ones take their defaults, which may depend on the others. `holder` is the
 * component in which a function was found: modifiers of the function may speak of its variables.
 */
function matchDeclared(
  builder: Builder,
  entity: ClassEntity,
  components: readonly ShapeComponent[],
  node: ast.Call,
  context: Context,
  holder?: ObjectInstance,
): Named[] | undefined {
  const names = components.map((c) => c.name);
  const slots = matchSlots(builder, node, names, entity.path, context);
  if (!slots) return undefined;
  const result: (Named | undefined)[] = components.map((component, i) => {
    const slot = slots[i];
    return slot && { component, node: slot, value: expression(builder, slot, context) };
  });
  for (const [i, component] of components.entries()) {
    if (result[i]) continue;
    const value = defaultOf(component);
    if (!value) {
      builder.report(
        'bad-call',
        `The call of \`${entity.path}\` lacks its argument \`${component.name}\`.`,
        node,
        context,
        {
          hint: `It is called as \`${entity.path}(${names.join(', ')})\`.`,
        },
      );
      return undefined;
    }
    const instance = value.inherited ? holder : undefined;
    let inner = contextOf({ instance, lexical: value.lexical }, context.component, 'function');
    for (const known of result) if (known) inner = withLocal(inner, known.component.name, known.value);
    result[i] = { component, node: value.expr, value: expression(builder, value.expr, inner) };
  }
  return result.some((arg) => isUnknown(arg!.value)) ? undefined : (result as Named[]);
}

/** The default of a component: from an extends clause or its own declaration. */
function defaultOf(component: ShapeComponent): Default | undefined {
  const inherited = component.modifier?.value;
  if (inherited)
    return { expr: inherited.value, lexical: entityOf(inherited.scope.lexical), inherited: true };
  const own = component.declaration.modification?.value;
  return own && own !== 'break' ? { expr: own, lexical: component.lexical, inherited: false } : undefined;
}

interface Default {
  readonly expr: ast.Expression;
  readonly lexical: ClassEntity;
  /** Given by a modifier of the function, not by the declaration. */
  readonly inherited: boolean;
}

// ---------------------------------------------------------------- types of declared components

/** The type of a declared component: predefined, or a record with its fields; sizes as written. */
interface Declared {
  readonly shape: Shape;
  readonly entity: ClassEntity;
  readonly subscripts: readonly { readonly subscript: ast.Subscript; readonly lexical: ClassEntity }[];
}

function declaredType(builder: Builder, component: ShapeComponent): Declared | undefined {
  const entity = findClass(component.lexical, component.clause.type);
  if (!entity) {
    builder.diagnostics.push(unknownClass(component.lexical, component.clause.type));
    return undefined;
  }
  const shape = shapeOf(entity);
  const { lexical } = component;
  const own = [...component.declaration.subscripts, ...component.clause.subscripts];
  return {
    shape,
    entity,
    subscripts: [...own.map((subscript) => ({ subscript, lexical })), ...shape.subscripts],
  };
}

function typeOf(shape: Shape): Type | undefined {
  if (shape.enumeration) return shape.enumeration;
  const { predefined } = shape;
  return predefined === 'Clock' || predefined === 'enumeration' ? undefined : predefined;
}

/** A value for a component of declared type; undefined, with a message, where it does not fit. */
function fitted(
  builder: Builder,
  component: ShapeComponent,
  value: Value,
  node: ast.Node,
  context: Context,
): Value | undefined {
  const declared = declaredType(builder, component);
  if (!declared) return undefined;
  const type = typeOf(declared.shape);
  const fits = type ? value.kind === 'simple' && assignable(type, value.type) : value.kind === 'record';
  if (!fits) {
    const wanted = type ? nameOf(type) : declared.entity.path;
    const message = `\`${component.name}\` is ${wanted} but is given ${typeName(value)}.`;
    builder.report('type-mismatch', message, node, context);
    return undefined;
  }
  const rank = declared.subscripts.length;
  if (value.dims.length !== rank) {
    const message = `\`${component.name}\` has ${rank} dimensions but is given ${dimsName(value.dims)}.`;
    builder.report('dimension-mismatch', message, node, context);
    return undefined;
  }
  return type && value.kind === 'simple' ? { ...value, type } : value;
}

// ---------------------------------------------------------------- calls

/** The leading sizes over which a call is applied element by element; undefined where arguments do not fit. */
function vectorised(
  builder: Builder,
  entity: ClassEntity,
  args: readonly Named[],
  node: ast.Call,
  context: Context,
): readonly number[] | undefined {
  let excess: readonly number[] | undefined;
  for (const arg of args) {
    const declared = declaredType(builder, arg.component);
    if (!declared) return undefined;
    const extra = arg.value.dims.length - declared.subscripts.length;
    if (extra < 0) {
      fitted(builder, arg.component, arg.value, arg.node, context);
      return undefined;
    }
    if (extra === 0) continue;
    const sizes = arg.value.dims.slice(0, extra);
    if (excess && !sameDims(excess, sizes)) {
      const message = `The arguments of \`${entity.path}\` have different sizes: ${dimsName(excess)} and ${dimsName(sizes)}.`;
      builder.report('dimension-mismatch', message, node, context);
      return undefined;
    }
    excess = sizes;
  }
  return excess ?? [];
}

function applyElementwise(
  builder: Builder,
  entity: ClassEntity,
  args: readonly Named[],
  excess: readonly number[],
  node: ast.Call,
  context: Context,
): Value {
  const ranks = args.map((arg) => declaredType(builder, arg.component)!.subscripts.length);
  const spread = args.map((arg, i) =>
    arg.value.dims.length > ranks[i]! && ranks[i] === 0 ? elementsOf(builder, arg.value) : undefined,
  );
  if (args.some((arg, i) => arg.value.dims.length > ranks[i]! && ranks[i]! > 0)) {
    return builder.report(
      'unsupported',
      `Applying \`${entity.path}\` to arrays of arrays is not supported.`,
      node,
      context,
    );
  }
  const results: Value[] = [];
  for (let k = 0; k < count(excess); k++) {
    const single = args.map((arg, i) => ({ ...arg, value: spread[i]?.[k] ?? arg.value }));
    const outputs = applyFunction(builder, entity, single, node, context);
    const first = outputs?.values[0];
    if (!first) return builder.unknown;
    results.push(first.value);
  }
  return stacked(builder, results, excess);
}

function applyFunction(
  builder: Builder,
  entity: ClassEntity,
  args: readonly Named[],
  node: ast.Call,
  context: Context,
): Outputs | undefined {
  const values: Value[] = [];
  for (const arg of args) {
    const value = fitted(builder, arg.component, arg.value, arg.node, context);
    if (!value) return undefined;
    values.push(value);
  }
  const special = specialise(builder, entity, args, values, node, context);
  if (!special) return undefined;
  const exprs = values.flatMap((value) => leaves(value).map((leaf) => leaf.value.expr));
  let variability: Simple['variability'] = 'constant';
  for (const value of values)
    for (const leaf of leaves(value)) variability = join(variability, leaf.value.variability);
  let next = 0;
  const outputs = special.outputs.map((output) => {
    const first = next;
    const value = mapLeaves(output, (leaf) => ({
      ...leaf,
      variability,
      expr: builder.pool.call(special.index, exprs, next++),
    }));
    return { first, value };
  });
  return { fn: special.index, args: exprs, count: next, values: outputs };
}

/** Functions of the language that libraries give a name of their own: `external "builtin" y = sin(u)`. */
function externalCall(
  builder: Builder,
  entity: ClassEntity,
  external: ast.External,
  args: readonly Named[],
  node: ast.Call,
  context: Context,
): Value {
  const name = external.functionName?.text;
  if (external.language?.value !== 'builtin' || !name) {
    return builder.report(
      'unsupported',
      `The external function \`${entity.path}\` is not supported.`,
      node,
      context,
    );
  }
  let inner = contextOf({ instance: undefined, lexical: entity }, context.component, 'function');
  for (const arg of args) inner = withLocal(inner, arg.component.name, arg.value);
  const given = external.arguments.map(
    (arg): Argument => ({ node: arg, value: expression(builder, arg, inner) }),
  );
  return applyBuiltin(builder, name, given, node, context);
}

// ---------------------------------------------------------------- specialisation

function specialise(
  builder: Builder,
  entity: ClassEntity,
  args: readonly Named[],
  values: readonly Value[],
  node: ast.Call,
  context: Context,
): Specialisation | undefined {
  const names = args.map((arg) => arg.component.name);
  let slot: number | undefined;
  for (;;) {
    const sizing = builder.sizing.get(entity) ?? new Set<string>();
    const fixed = fixedInputs(builder, entity, args, values, sizing, context);
    if (!fixed) return undefined;
    const sizes = values.flatMap((value) => leaves(value).map((leaf) => leaf.value.dims.join('x')));
    const key = [...sizes, ...[...fixed.values()].map((value) => `=${value.expr.id}`)].join(',');
    const known = builder.specialisations.get(entity)?.get(key);
    if (known) return known;
    const mark = builder.mark();
    const needed = new Set<string>();
    const attempt: Attempt = { entity, fixed, needed, key, slot };
    const result = translateFunction(builder, attempt, names, values, node, context);
    if (needed.size === 0) return result;
    // Sizes inside depend on values of inputs: once more, in the same place, with these known.
    builder.rewind(mark);
    slot = result?.index ?? slot;
    builder.specialisations.get(entity)?.delete(key);
    builder.sizing.set(entity, new Set([...sizing, ...needed]));
  }
}

/** One try at translating a function: with inputs of known values, to find out which others must be known. */
interface Attempt {
  readonly entity: ClassEntity;
  readonly fixed: ReadonlyMap<string, Simple>;
  readonly needed: Set<string>;
  readonly key: string;
  /** The place among the functions that an earlier try took. */
  readonly slot: number | undefined;
}

/** The values of those inputs on which sizes inside the function depend; undefined where one is not known. */
function fixedInputs(
  builder: Builder,
  entity: ClassEntity,
  args: readonly Named[],
  values: readonly Value[],
  sizing: ReadonlySet<string>,
  context: Context,
): Map<string, Simple> | undefined {
  const fixed = new Map<string, Simple>();
  for (const [i, value] of values.entries()) {
    const { name } = args[i]!.component;
    if (!sizing.has(name) || value.kind !== 'simple') continue;
    if (needsValue(value.expr, context)) return undefined;
    const n = value.dims.length === 0 ? fixedNumber(builder, value.expr) : undefined;
    if (n === undefined) {
      const message = `Sizes in \`${entity.path}\` depend on \`${name}\`, which is not known before the simulation.`;
      builder.report('unsupported', message, args[i]!.node, context);
      return undefined;
    }
    fixed.set(name, simple(builder.pool.const(n), value.type, 'constant'));
  }
  return fixed;
}

/** Collects the variables of a function while it is translated. */
class Locals {
  readonly list: FunctionLocal[] = [];
  context: Context;
  private readonly builder: Builder;

  constructor(builder: Builder, context: Context) {
    this.builder = builder;
    this.context = context;
  }

  /** Adds a variable shaped like a value; its fields become variables of their own. */
  add(name: string, like: Value, initial?: Value): Value {
    const initials = initial ? leaves(initial) : [];
    const paths = leaves(like, name);
    let next = 0;
    const value = mapLeaves(like, (leaf) => {
      const index = this.list.length;
      this.list.push({
        name: paths[next]!.name,
        type: storage(leaf.type),
        dims: leaf.dims,
        initial: initials[next++]?.value.expr,
      });
      return { ...leaf, expr: this.builder.pool.local(index), variability: 'continuous' };
    });
    this.context = withLocal(this.context, name, value);
    return value;
  }
}

function translateFunction(
  builder: Builder,
  { entity, fixed, needed, key, slot }: Attempt,
  inputNames: readonly string[],
  values: readonly Value[],
  node: ast.Call,
  context: Context,
): Specialisation | undefined {
  const shape = shapeOf(entity);
  const owners: string[] = [];
  const place = contextOf({ instance: undefined, lexical: entity }, context.component, 'function');
  const locals = new Locals(builder, { ...place, sizing: { needed, owners } });
  for (const [i, value] of values.entries()) {
    locals.add(inputNames[i]!, value);
    while (owners.length < locals.list.length) owners.push(inputNames[i]!);
  }
  const inputs = locals.list.length;
  for (const [name, value] of fixed) locals.context = withLocal(locals.context, name, value);
  const outputs = declareLocals(builder, shape, locals, true);
  const outputCount = locals.list.length - inputs;
  if (!outputs || !declareLocals(builder, shape, locals, false)) return undefined;
  const special: Specialisation = { index: slot ?? builder.functions.length, outputs };
  const unfinished: FunctionDef = {
    name: entity.path,
    locals: locals.list,
    inputs,
    outputs: outputCount,
    body: [notYet(builder)],
    span: entity.span(entity.definition.name),
  };
  builder.functions[special.index] = unfinished;
  // Known before the body is translated: the function may call itself.
  const known = builder.specialisations.get(entity) ?? new Map<string, Specialisation>();
  builder.specialisations.set(entity, known.set(key, special));
  const body: FunctionStatement[] = [];
  for (const { section, lexical } of shape.sections) {
    if (section.kind !== 'algorithm') {
      builder.report('unsupported', `The function \`${entity.path}\` has equations.`, node, context);
      continue;
    }
    const inner: Context = { ...locals.context, scope: { instance: undefined, lexical } };
    body.push(...statements(builder, section.statements, inner));
  }
  builder.functions[special.index] = { ...unfinished, body };
  return special;
}

/** The body of a function that is being translated: it cannot be run before it is finished. */
function notYet({ pool }: Builder): FunctionStatement {
  return { kind: 'assert', condition: pool.zero, message: pool.text('not translated yet'), span: undefined };
}

/** Declares the outputs, or the protected variables, of a function. */
function declareLocals(builder: Builder, shape: Shape, locals: Locals, output: boolean): Value[] | undefined {
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

/** Names of the variables to which statements assign. */
function assignedNames(shape: Shape): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (body: readonly ast.Statement[]): void => {
    for (const node of body) {
      if (node.kind === 'assign') names.add(node.target.parts[0]!.name);
      else if (node.kind === 'multiassign') {
        for (const target of node.targets) if (target) names.add(target.parts[0]!.name);
      } else if (node.kind === 'if') {
        for (const branch of node.branches) visit(branch.body);
        visit(node.otherwise ?? []);
      } else if (node.kind === 'for' || node.kind === 'while') visit(node.body);
    }
  };
  for (const { section } of shape.sections) if (section.kind === 'algorithm') visit(section.statements);
  return names;
}

/** An output or protected variable of a function, with its default; one that never changes is known by its value. */
function declareLocal(
  builder: Builder,
  component: ShapeComponent,
  locals: Locals,
  unchanging: boolean,
): Value | undefined {
  const initial = defaultOf(component);
  const value =
    initial &&
    expression(builder, initial.expr, {
      ...locals.context,
      scope: { instance: undefined, lexical: initial.lexical },
    });
  if (value && isUnknown(value)) return undefined;
  const like = likeDeclared(builder, component, locals.context, value);
  if (!like) return undefined;
  const result = locals.add(component.name, like, value);
  const constant =
    value?.kind === 'simple' && value.type === 'Integer' && literalValue(builder, value.expr) !== undefined;
  if (unchanging && constant) locals.context = withLocal(locals.context, component.name, value);
  return result;
}

/** A value with the type and sizes that a declaration asks for; `:` takes its size from the default. */
function likeDeclared(
  builder: Builder,
  component: ShapeComponent,
  place: Context,
  initial: Value | undefined,
): Value | undefined {
  const declared = declaredType(builder, component);
  if (!declared) return undefined;
  const dims: number[] = [];
  for (const [d, { subscript, lexical }] of declared.subscripts.entries()) {
    const context: Context = { ...place, scope: { instance: undefined, lexical } };
    const what = `The size of \`${component.name}\``;
    const n =
      subscript.kind === 'colon'
        ? initial?.dims[d]
        : requiredInteger(builder, expression(builder, subscript, context), what, subscript, context);
    if (n === undefined) {
      if (subscript.kind === 'colon') {
        builder.report('unsupported', `${what} is not known before the function runs.`, subscript, context);
      }
      return undefined;
    }
    dims.push(n);
  }
  const type = typeOf(declared.shape);
  if (type) return simple(builder.pool.zero, type, 'continuous', dims);
  if (!declared.shape.restriction.endsWith('record')) {
    const context: Context = { ...place, scope: { instance: undefined, lexical: component.lexical } };
    builder.report(
      'unsupported',
      `\`${component.name}\` in a function is a ${declared.shape.restriction}.`,
      component.declaration,
      context,
    );
    return undefined;
  }
  const fields = new Map<string, Value>();
  for (const [name, member] of declared.shape.components) {
    const field = likeDeclared(builder, member, place, undefined);
    if (!field) return undefined;
    fields.set(name, prefixed(field, dims));
  }
  return { kind: 'record', path: declared.entity.path, dims, fields };
}

/** Sizes of an array of records before those of its fields. */
function prefixed(value: Value, dims: readonly number[]): Value {
  if (dims.length === 0) return value;
  if (value.kind === 'simple') return { ...value, dims: [...dims, ...value.dims] };
  const fields = new Map<string, Value>();
  for (const [name, field] of value.fields) fields.set(name, prefixed(field, dims));
  return { ...value, dims: [...dims, ...value.dims], fields };
}
