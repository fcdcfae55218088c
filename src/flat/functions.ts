/**
 * User functions and record constructors (Modelica 3.6, chapter 12). A function is translated once for each combination of
 * argument sizes (and of those Integer arguments on which sizes depend); records among its variables are replaced
 * by their fields. A call with arrays where scalars are declared applies the function to each element (12.4.6).
 */
import type { ClassEntity } from '../model/class.ts';
import { findClass, unknownClass } from '../model/lookup.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../model/shape.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionLocal, FunctionStatement } from '../symbolic/function.ts';
import type * as ast from '../syntax/ast.ts';
import { assignable } from './bindings.ts';
import { applyBuiltin } from './builtins.ts';
import { type Argument, matchSlots } from './calls.ts';
import { fixedNumber } from './constants.ts';
import { type Builder, type Context, contextOf, type Specialisation, withLocal } from './context.ts';
import { expression } from './expressions.ts';
import { elementsOf, requiredInteger, stacked } from './references.ts';
import { statements } from './statements.ts';
import {
  count,
  dimsName,
  isUnknown,
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

export function callFunction(builder: Builder, entity: ClassEntity, node: ast.Call, context: Context): Value {
  const args = functionArguments(builder, entity, node, context);
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
): Outputs | undefined {
  const args = functionArguments(builder, entity, node, context);
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
): Named[] | undefined {
  const inputs = [...shapeOf(entity).components.values()].filter((c) => c.clause.causality === 'input');
  return matchDeclared(builder, entity, inputs, node, context);
}

/** Arguments for declared components; missing ones take their defaults, which may depend on the others. */
function matchDeclared(
  builder: Builder,
  entity: ClassEntity,
  components: readonly ShapeComponent[],
  node: ast.Call,
  context: Context,
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
    let inner = contextOf({ instance: undefined, lexical: value.lexical }, context.component, 'function');
    for (const known of result) if (known) inner = withLocal(inner, known.component.name, known.value);
    result[i] = { component, node: value.expr, value: expression(builder, value.expr, inner) };
  }
  return result.some((arg) => isUnknown(arg!.value)) ? undefined : (result as Named[]);
}

/** The default of a component: from an extends clause or its own declaration. */
function defaultOf(component: ShapeComponent): { expr: ast.Expression; lexical: ClassEntity } | undefined {
  const inherited = component.modifier?.value;
  if (inherited) return { expr: inherited.value, lexical: inherited.scope.lexical as ClassEntity };
  const own = component.declaration.modification?.value;
  return own && own !== 'break' ? { expr: own, lexical: component.lexical } : undefined;
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
    for (const leaf of leaves(value)) variability = joined(variability, leaf.value.variability);
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

const ranks = ['constant', 'parameter', 'discrete', 'continuous'] as const;
const joined = (a: Simple['variability'], b: Simple['variability']): Simple['variability'] =>
  ranks[Math.max(ranks.indexOf(a), ranks.indexOf(b))]!;

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
  const sizing = sizingInputs(entity);
  const fixed = new Map<string, Value>();
  const key: string[] = [];
  for (const [i, value] of values.entries()) {
    const { name } = args[i]!.component;
    for (const leaf of leaves(value)) key.push(leaf.value.dims.join('x'));
    if (!sizing.has(name) || value.dims.length > 0) continue;
    const n = value.kind === 'simple' ? fixedNumber(builder, value.expr) : undefined;
    if (n === undefined) {
      const message = `Sizes in \`${entity.path}\` depend on \`${name}\`, which is not known before the simulation.`;
      builder.report('unsupported', message, args[i]!.node, context);
      return undefined;
    }
    fixed.set(name, simple(builder.pool.const(n), 'Integer', 'constant'));
    key.push(`=${n}`);
  }
  let known = builder.specialisations.get(entity);
  if (!known) builder.specialisations.set(entity, (known = new Map()));
  const found = known.get(key.join(','));
  if (found) return found;
  return translateFunction(
    builder,
    entity,
    args,
    values,
    fixed,
    (special) => known.set(key.join(','), special),
    node,
    context,
  );
}

/** Inputs whose values, not only whose sizes, occur in the sizes of other variables. */
function sizingInputs(entity: ClassEntity): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ast.Expression): void => {
    if (node.kind === 'ref') names.add(node.parts[0]!.name);
    else if (node.kind === 'binary') {
      visit(node.left);
      visit(node.right);
    } else if (node.kind === 'unary') visit(node.operand);
    else if (node.kind === 'tuple') for (const m of node.members) m && visit(m);
    else if (node.kind === 'call' && node.callee.parts[0]!.name !== 'size') {
      for (const arg of node.positional) if (arg.kind !== 'partial') visit(arg);
    } else if (node.kind === 'if') {
      for (const branch of node.branches) {
        visit(branch.condition);
        visit(branch.value);
      }
      visit(node.otherwise);
    }
  };
  for (const component of shapeOf(entity).components.values()) {
    if (component.clause.causality === 'input') continue;
    for (const subscript of [...component.declaration.subscripts, ...component.clause.subscripts]) {
      if (subscript.kind !== 'colon') visit(subscript);
    }
  }
  return names;
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
  entity: ClassEntity,
  args: readonly Named[],
  values: readonly Value[],
  fixed: ReadonlyMap<string, Value>,
  register: (special: Specialisation) => void,
  node: ast.Call,
  context: Context,
): Specialisation | undefined {
  const shape = shapeOf(entity);
  const path = entity.path;
  const locals = new Locals(
    builder,
    contextOf({ instance: undefined, lexical: entity }, context.component, 'function'),
  );
  for (const [i, value] of values.entries()) locals.add(args[i]!.component.name, value);
  const inputs = locals.list.length;
  // Sizes may depend on the values of inputs; everywhere else those are ordinary variables.
  let sizeContext = locals.context;
  for (const [name, value] of fixed) sizeContext = withLocal(sizeContext, name, value);
  const components = [...shape.components.values()];
  const outputs: Value[] = [];
  const own = (output: boolean): boolean => {
    for (const component of components) {
      if (component.clause.causality === 'input' || (component.clause.causality === 'output') !== output)
        continue;
      const value = declareLocal(builder, component, locals, sizeContext);
      if (!value) return false;
      if (output) outputs.push(value);
    }
    return true;
  };
  if (!own(true)) return undefined;
  const outputCount = locals.list.length - inputs;
  if (!own(false)) return undefined;
  const index = builder.functions.length;
  const body: FunctionStatement[] = [];
  builder.functions.push({
    name: path,
    locals: locals.list,
    inputs,
    outputs: outputCount,
    body,
    span: entity.span(entity.definition.name),
  });
  const special = { index, outputs };
  register(special);
  for (const { section, lexical } of shape.sections) {
    if (section.kind !== 'algorithm') {
      builder.report('unsupported', `The function \`${path}\` has equations.`, node, context);
      continue;
    }
    const inner: Context = { ...locals.context, scope: { instance: undefined, lexical } };
    body.push(...statements(builder, section.statements, inner));
  }
  return special;
}

/** An output or protected variable of a function, with its default. */
function declareLocal(
  builder: Builder,
  component: ShapeComponent,
  locals: Locals,
  sizeContext: Context,
): Value | undefined {
  const initial = defaultOf(component);
  const context: Context = { ...locals.context, scope: { instance: undefined, lexical: component.lexical } };
  const value =
    initial &&
    expression(builder, initial.expr, {
      ...context,
      scope: { instance: undefined, lexical: initial.lexical },
    });
  if (value && isUnknown(value)) return undefined;
  const like = likeDeclared(builder, component, sizeContext, value);
  return like && locals.add(component.name, like, value);
}

/** A value with the type and sizes that a declaration asks for; `:` takes its size from the default. */
function likeDeclared(
  builder: Builder,
  component: ShapeComponent,
  sizeContext: Context,
  initial: Value | undefined,
): Value | undefined {
  const declared = declaredType(builder, component);
  if (!declared) return undefined;
  const dims: number[] = [];
  for (const [d, { subscript, lexical }] of declared.subscripts.entries()) {
    const context: Context = { ...sizeContext, scope: { instance: undefined, lexical } };
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
    const context: Context = { ...sizeContext, scope: { instance: undefined, lexical: component.lexical } };
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
    const field = likeDeclared(builder, member, sizeContext, undefined);
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
