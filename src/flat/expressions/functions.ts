/**
 * User functions (Modelica 3.6, chapter 12). A function is translated once for each combination of
 * argument sizes (and of those Integer arguments on which sizes depend); records among its variables are replaced
 * by their fields. A call with arrays where scalars are declared applies the function to each element (12.4.6).
 */
import { sameItems } from '../../collections/lists.ts';
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { earlyUse } from '../../model/classes/assigned.ts';
import { type ClassEntity, entityOf, instanceFor } from '../../model/classes/class.ts';
import { isImpure, unassigned } from '../../model/classes/functions.ts';
import { noInnerClass } from '../../model/classes/inner.ts';
import { findClass, unknownClass } from '../../model/classes/lookup.ts';
import { inputsOf } from '../../model/classes/overloads.ts';
import { type Shape, type ShapeComponent, shapeOf } from '../../model/classes/shape.ts';
import type { ObjectInstance, Scope } from '../../model/instance.ts';
import { extentProblems } from '../../model/types/extents.ts';
import { dimsName } from '../../model/value.ts';
import { subscriptsOf } from '../../names/names.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { FunctionLocal } from '../../symbolic/function.ts';
import type * as ast from '../../syntax/ast.ts';
import {
  type Context,
  contextOf,
  type FlatBuilder,
  originOf,
  refuse,
  report,
  withLocal,
} from '../core/context.ts';
import { upTo } from '../core/families.ts';
import {
  arrayLike,
  atMost,
  count,
  isUnknown,
  join,
  leaves,
  mapLeaves,
  nameOf,
  type Simple,
  type Type,
  typeName,
  type Value,
} from '../core/values.ts';
import { assignable } from './bindings.ts';
import { applyBuiltin } from './builtins.ts';
import { type CallArgument, matchSlots } from './calls.ts';
import {
  argumentValue,
  type ClosureValue,
  closureArguments,
  fittedFunction,
  functionType,
} from './closures.ts';
import { expression } from './expressions.ts';
import { calledOnce, isCallOfItsOwn, mayBeImpure, ownCall, warnOfImpure } from './impure.ts';
import { operatorOutputs } from './inlining.ts';
import { inOrder } from './locals.ts';
import { stacked } from './references.ts';
import { specialise } from './specialise.ts';
import { elementIndex, type Index, indexed } from './subscripts.ts';

/** All outputs of a call: `first` is the number of the first scalar or array output that belongs to each. */
export interface Outputs {
  readonly fn: number;
  readonly args: readonly Expr[];
  /** Number of outputs after records were replaced by their fields. */
  readonly count: number;
  readonly values: readonly { readonly first: number; readonly value: Value }[];
}

export function callFunction(
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
  holder?: ObjectInstance,
): Value {
  const { builder } = context;
  const args = functionArguments(entity, node, context, holder);
  if (!args) return builder.unknown;
  return appliedFunction(entity, args, node, context);
}

function appliedFunction(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  node: ast.Node,
  context: Context,
): Value {
  const { builder } = context;
  const external = shapeOf(entity).external?.external;
  if (external && isBuiltin(external)) return externalCall(entity, external, args, node, context);
  const excess = vectorised(entity, args, node, context);
  if (excess === undefined) return builder.unknown;
  if (excess.length === 0) {
    const outputs = applyFunction(entity, args, node, context);
    if (!outputs) return builder.unknown;
    const first = outputs.values[0];
    return first?.value ?? report('bad-call', `\`${entity.path}\` has no output.`, node, context);
  }
  return applyElementwise(
    args,
    excess,
    context,
    (given) => applyFunction(entity, given, node, context)?.values[0]?.value,
  );
}

/** The output of a function that is called for what it does: that it did it. */
export const doneOutput = ({ pool }: FlatBuilder): FunctionLocal => ({
  name: '$done',
  type: 'Boolean',
  dims: [],
  initial: pool.one,
});

/** All outputs of a call, for `(a, b) = f(x)`. */
export function callOutputs(
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
  holder?: ObjectInstance,
): Outputs | undefined {
  const args = functionArguments(entity, node, context, holder);
  if (!args) return undefined;
  const external = shapeOf(entity).external?.external;
  if (external && isBuiltin(external)) {
    const message = `\`${entity.path}\` is a function of the language: it has one output.`;
    return refuse('bad-call', message, node, context);
  }
  return applyFunction(entity, args, node, context);
}

/** The first output of a call of a function with arguments that are translated already; holes take their defaults. */
export function callWith(
  entity: ClassEntity,
  given: readonly (CallArgument | undefined)[],
  node: ast.Node,
  context: Context,
): Value {
  const inputs = inputsOf(entity);
  const args = withDefaults(entity, inputs, given, node, context);
  return args ? appliedFunction(entity, args, node, context) : context.builder.unknown;
}

/** A call of a function that was given as an argument: its first output. */
export function callClosure(value: ClosureValue, node: ast.Call, context: Context): Value {
  const given = closureArguments(value, node, context);
  return given ? callWith(value.closure, given, node, context) : context.builder.unknown;
}

/** All outputs of a call of a function that was given as an argument. */
export function closureOutputs(value: ClosureValue, node: ast.Call, context: Context): Outputs | undefined {
  const given = closureArguments(value, node, context);
  const args = given && withDefaults(value.closure, inputsOf(value.closure), given, node, context);
  return args && applyFunction(value.closure, args, node, context);
}

// ---------------------------------------------------------------- arguments

export interface ArgumentByName extends CallArgument {
  readonly component: ShapeComponent;
}

function functionArguments(
  entity: ClassEntity,
  node: ast.Call,
  context: Context,
  holder: ObjectInstance | undefined,
): ArgumentByName[] | undefined {
  const shape = shapeOf(entity);
  const { problems, partial } = shape;
  if (partial) {
    const hint = 'Call a function that extends it, or redeclare it to one.';
    return refuse(
      'bad-call',
      `The function \`${entity.path}\` is partial: it cannot be called.`,
      node,
      context,
      { hint },
    );
  }
  const [outer] = shape.outerBases;
  if (outer) {
    const { reason, hint } = noInnerClass(outer);
    return refuse('unknown-class', `${reason}: \`${entity.path}\` cannot extend it.`, node, context, {
      hint,
    });
  }
  const problem = problems.find((d) => d.severity === 'error') ?? extentProblems(shape)[0];
  if (problem) {
    if (!context.builder.diagnostics.includes(problem)) context.builder.diagnostics.push(problem);
    return undefined;
  }
  if (isImpure(entity) && !mayBeImpure(node, context)) {
    const message = `The function \`${entity.path}\` is impure: it cannot be called here.`;
    return refuse('not-allowed', message, node, context, {
      hint: 'Call it in a when-clause, an initial section, the value of a parameter or another impure function, or write `pure(…)` around the call.',
    });
  }
  if (isImpure(entity)) warnOfImpure(entity, node, context);
  const lacking = unassigned(entity);
  if (lacking) {
    const what = lacking.clause.causality === 'output' ? 'assigns its output' : 'gives a value to';
    const message = `The function \`${entity.path}\` never ${what} \`${lacking.name}\`.`;
    return refuse('bad-call', message, node, context, {
      hint: `Assign it in an algorithm section, or give it a value where it is declared.`,
    });
  }
  const early = earlyUse(shapeOf(entity));
  if (early) {
    const span = early.lexical.span(early.node);
    const isKnown = ({ code, span: at }: Diagnostic): boolean =>
      code === 'bad-call' && at?.source === span.source && at.start === span.start;
    const message = `\`${early.name}\` is used before the function gives it a value.`;
    const hint = 'Assign it before, or give it a value where it is declared.';
    if (!context.builder.diagnostics.some(isKnown))
      context.builder.reportAt('bad-call', message, { span, hint });
    return undefined;
  }
  return matchDeclared(entity, inputsOf(entity), node, context, holder);
}

/** Arguments for declared components, of which those that a call can give are `open`. */
export function matchDeclared(
  entity: ClassEntity,
  components: readonly ShapeComponent[],
  node: ast.Call,
  context: Context,
  holder?: ObjectInstance,
  open: (component: ShapeComponent) => boolean = () => true,
): ArgumentByName[] | undefined {
  const names = components.filter(open).map((c) => c.name);
  const slots = matchSlots(node, names, entity.path, context);
  const given =
    slots &&
    components.map((component) => {
      const slot = slots[names.indexOf(component.name)];
      return slot ? { node: slot, value: argumentValue(slot, component, context) } : undefined;
    });
  return given && withDefaults(entity, components, given, node, context, holder);
}

/**
 * Missing arguments take their defaults, which may depend on the others. `holder` is the component in which a function was found:
 * modifiers of the function may speak of its variables.
 */
export function withDefaults(
  entity: ClassEntity,
  components: readonly ShapeComponent[],
  given: readonly (CallArgument | undefined)[],
  node: ast.Node,
  context: Context,
  holder?: ObjectInstance,
): ArgumentByName[] | undefined {
  const result = components.map((component, i): ArgumentByName | undefined => {
    const argument = given[i];
    return argument && { component, ...argument };
  });
  for (const component of inOrder(components)) {
    const i = components.indexOf(component);
    if (result[i]) continue;
    const value = defaultOf(component);
    if (!value) {
      const message = `The call of \`${entity.path}\` lacks its argument \`${component.name}\`.`;
      const names = components.map((c) => c.name);
      return refuse('bad-call', message, node, context, {
        hint: `Call it as \`${entity.path}(${names.join(', ')})\`.`,
      });
    }
    const instance = value.scope && (value.scope.instance ?? (holder && instanceFor(value.scope, holder)));
    let inner = contextOf(
      context.builder,
      { instance, lexical: value.lexical },
      context.component,
      'function',
    );
    for (const known of result) if (known) inner = withLocal(inner, known.component.name, known.value);
    result[i] = { component, node: value.expr, value: argumentValue(value.expr, component, inner) };
  }
  return result.some((arg) => isUnknown(arg!.value)) ? undefined : (result as ArgumentByName[]);
}

/** The default of a component: from an extends clause or its own declaration. */
export function defaultOf(component: ShapeComponent): Default | undefined {
  const inherited = component.modifier?.value;
  if (inherited)
    return { expr: inherited.value, lexical: entityOf(inherited.scope.lexical), scope: inherited.scope };
  const own = component.declaration.modification?.value;
  return own && own !== 'break' ? { expr: own, lexical: component.lexical } : undefined;
}

export interface Default {
  readonly expr: ast.Expression;
  readonly lexical: ClassEntity;
  /** Where the modifier of the function is written that gives it; undefined where the declaration does. */
  readonly scope?: Scope;
}

// ---------------------------------------------------------------- types of declared components

/** The type of a declared component: predefined, or a record with its fields; sizes as written. */
interface Declared {
  readonly shape: Shape;
  readonly entity: ClassEntity;
  readonly subscripts: readonly { readonly subscript: ast.Subscript; readonly lexical: ClassEntity }[];
}

export function declaredType(builder: FlatBuilder, component: ShapeComponent): Declared | undefined {
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

/** The units of a declared component, by its name or, for a record, those of its fields; only texts that are written as such. */
export function declaredUnits(
  builder: FlatBuilder,
  component: ShapeComponent,
  name = component.name,
): ReadonlyMap<string, string> {
  const units = new Map<string, string>();
  const declared = declaredType(builder, component);
  if (!declared) return units;
  const { shape } = declared;
  if (!shape.predefined) {
    for (const field of shape.components.values())
      for (const [path, unit] of declaredUnits(builder, field, `${name}.${field.name}`))
        units.set(path, unit);
    return units;
  }
  const own = component.declaration.modification?.arguments?.arguments.find(
    (argument) => argument.kind === 'modify' && argument.name.parts[0]?.text === 'unit',
  );
  const written = own?.kind === 'modify' ? own.modification?.value : undefined;
  const given =
    component.modifier?.children.get('unit')?.value?.value ??
    written ??
    shape.modifier?.children.get('unit')?.value?.value;
  if (typeof given === 'object' && given.kind === 'string') units.set(name, given.value);
  return units;
}

export function typeOf(shape: Shape): Type | undefined {
  if (shape.enumeration) return shape.enumeration;
  const { predefined } = shape;
  return predefined === 'Clock' || predefined === 'enumeration' ? undefined : predefined;
}

/** A value for a component of declared type; undefined, with a message, where it does not fit. */
export function fitted(
  component: ShapeComponent,
  value: Value,
  node: ast.Node,
  context: Context,
): Value | undefined {
  const declared = declaredType(context.builder, component);
  if (!declared) return undefined;
  const fn = functionType(component);
  if (fn) return fittedFunction(component, fn, value, node, context);
  const type = typeOf(declared.shape);
  const fits = type ? value.kind === 'simple' && assignable(type, value.type) : value.kind === 'record';
  if (!fits) {
    const wanted = type ? nameOf(type) : declared.entity.path;
    const message = `\`${component.name}\` is ${wanted} but is given ${typeName(value)}.`;
    return refuse('type-mismatch', message, node, context);
  }
  const lacking =
    value.kind === 'record' && [...declared.shape.components.keys()].find((name) => !value.fields.has(name));
  if (lacking) {
    const message = `\`${component.name}\` is ${declared.entity.path}, but ${typeName(value)}, which is given, has no field \`${lacking}\`.`;
    return refuse('type-mismatch', message, node, context);
  }
  const rank = declared.subscripts.length;
  if (value.dims.length !== rank) {
    const message = `\`${component.name}\` has ${rank} dimensions but is given ${dimsName(value.dims)}.`;
    return refuse('dimension-mismatch', message, node, context);
  }
  return type && value.kind === 'simple' ? { ...value, type } : value;
}

// ---------------------------------------------------------------- calls

/** The leading sizes over which a call is applied element by element; undefined where arguments do not fit. */
export function vectorised(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  node: ast.Node,
  context: Context,
): readonly number[] | undefined {
  let excess: readonly number[] | undefined;
  for (const arg of args) {
    const declared = declaredType(context.builder, arg.component);
    if (!declared) return undefined;
    const extra = arg.value.dims.length - declared.subscripts.length;
    if (extra < 0) {
      fitted(arg.component, arg.value, arg.node, context);
      return undefined;
    }
    if (extra === 0) continue;
    const sizes = arg.value.dims.slice(0, extra);
    if (excess && !sameItems(excess, sizes)) {
      const message = `The arguments of \`${entity.path}\` have different sizes: ${dimsName(excess)} and ${dimsName(sizes)}.`;
      return refuse('dimension-mismatch', message, node, context);
    }
    excess = sizes;
  }
  return excess ?? [];
}

/** What `apply` makes of each element of the arguments that have more dimensions than declared: these are the `excess`. */
export function applyElementwise(
  args: readonly ArgumentByName[],
  excess: readonly number[],
  context: Context,
  apply: (given: readonly ArgumentByName[]) => Value | undefined,
): Value {
  const { builder } = context;
  const ranks = args.map((arg) => declaredType(builder, arg.component)!.subscripts.length);
  const isSpread = args.map((arg, i) => arg.value.dims.length > ranks[i]!);
  const at = (indices: readonly Index[]): ArgumentByName[] =>
    args.map((arg, i) => (isSpread[i] ? { ...arg, value: indexed(builder, arg.value, indices) } : arg));
  if (args.every((arg, i) => !isSpread[i] || isIterable(arg.value)))
    return iterated(builder, excess, (indices) => apply(at(indices)));
  const results: Value[] = [];
  for (let k = 0; k < count(excess); k++) {
    const indices = subscriptsOf(excess, k).map((n) => elementIndex(builder.pool.const(n)));
    const value = apply(at(indices));
    if (!value) return builder.unknown;
    results.push(value);
  }
  return stacked(builder, results, excess);
}

/** Whether a call is written once for all elements of an argument: it is no list, and sizes depend on no Real. */
function isIterable(value: Value): boolean {
  if (value.kind !== 'simple' || value.type !== 'Real') return false;
  return !(value.expr.kind === 'apply' && value.expr.op === 'array');
}

/** `{{e for j in 1:m} for i in 1:n}` of a value that has these indices. */
function iterated(
  builder: FlatBuilder,
  dims: readonly number[],
  element: (indices: readonly Index[]) => Value | undefined,
): Value {
  const { pool } = builder;
  const iterators = dims.map((_, d) => pool.iter(builder.iterator(`i${d + 1}`)));
  const value = element(iterators.map(elementIndex));
  if (!value) return builder.unknown;
  const over = (expr: Expr): Expr =>
    dims.reduceRight((inner, n, d) => pool.apply('comprehension', inner, iterators[d]!, upTo(pool, n)), expr);
  return arrayLike(value, dims, over);
}

/** The outputs of a call; the arguments fit the declared sizes. */
export function applyFunction(
  entity: ClassEntity,
  args: readonly ArgumentByName[],
  node: ast.Node,
  context: Context,
): Outputs | undefined {
  const values: Value[] = [];
  for (const arg of args) {
    const value = fitted(arg.component, arg.value, arg.node, context);
    if (!value) return undefined;
    values.push(value);
  }
  const special = specialise(entity, args, values, node, context);
  if (!special) return undefined;
  const exprs = values.flatMap((value) => leaves(value).map((leaf) => leaf.value.expr));
  let variability: Simple['variability'] = 'constant';
  for (const value of values)
    for (const leaf of leaves(value)) variability = join(variability, leaf.value.variability);
  const { builder } = context;
  const impure = isCallOfItsOwn(entity, special.index, context)
    ? ownCall(special.index, exprs, context)
    : undefined;
  const { fn, given } = impure ?? { fn: special.index, given: exprs };
  const operator = operatorOutputs(builder, entity, special.index, exprs);
  if (impure && context.place === 'when') variability = join(variability, 'discrete');
  let next = 0;
  const outputs = special.outputs.map((output) => {
    const first = next;
    const value = mapLeaves(output, (leaf) => {
      const k = next++;
      const expr = operator?.[k] ?? builder.pool.call(fn, given, k);
      const isOnce =
        impure && context.place === 'initial' && !context.ordered && atMost(variability, 'parameter');
      return isOnce && special.outputs.length === 1
        ? calledOnce(builder, { ...leaf, expr }, originOf(node, context))
        : { ...leaf, variability, expr };
    });
    return { first, value };
  });
  return { fn, args: given, count: next, values: outputs };
}

const isBuiltin = ({ language, functionName }: ast.External): boolean =>
  language?.value === 'builtin' && functionName !== undefined;

/** Functions of the language that libraries give a name of their own: `external "builtin" y = sin(u)`. */
function externalCall(
  entity: ClassEntity,
  external: ast.External,
  args: readonly ArgumentByName[],
  node: ast.Node,
  context: Context,
): Value {
  const name = external.functionName!.text;
  let inner = contextOf(
    context.builder,
    { instance: undefined, lexical: entity },
    context.component,
    'function',
  );
  for (const arg of args) inner = withLocal(inner, arg.component.name, arg.value);
  const given = external.arguments.map((arg): CallArgument => ({ node: arg, value: expression(arg, inner) }));
  return applyBuiltin(name, given, node, context);
}
