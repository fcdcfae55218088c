/**
 * References to components, iterators, constants and enumeration literals, with subscripts (Modelica 3.6, chapters
 * 5.3 and 10.5). A reference through an array of components is a selection among its elements, each with
 * symbols of its own; a reference to an array variable stays one symbol.
 */
import type { Instance, ObjectInstance, Resolution, VariableInstance } from '../model/instance.ts';
import { substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type * as ast from '../syntax/ast.ts';
import { bindingOf } from './bindings.ts';
import { fixedNumber, fixedValue, literalValue, numbers } from './constants.ts';
import type { Builder, Context } from './context.ts';
import { expression } from './expressions.ts';
import type { Variability } from './flat.ts';
import { needsValue } from './iteration.ts';
import { atMost, count, isUnknown, join, mapLeaves, type Simple, simple, type Value } from './values.ts';

/** One subscript: an element, several of them, or the whole dimension. */
export type Index =
  | { readonly kind: 'element'; readonly expr: Expr; readonly variability: Variability }
  | { readonly kind: 'slice'; readonly expr: Expr; readonly size: number; readonly variability: Variability }
  | { readonly kind: 'all' };

export function reference(builder: Builder, node: ast.ComponentRef, context: Context): Value {
  const local = node.global ? undefined : localValue(node.parts[0]!.name, context);
  if (local) return memberOf(builder, subscripted(builder, local, node.parts[0]!, context), node, 1, context);
  const resolution = builder.resolve(node, context.scope);
  switch (resolution.kind) {
    case 'component': {
      const selection = select(builder, node, resolution, context);
      return selection ? selectedValue(builder, selection, node, context) : builder.unknown;
    }
    case 'constant': {
      const last = node.parts[node.parts.length - 1]!;
      const value = instanceValue(builder, wholeConstant(resolution.instance));
      const chosen = subscripted(builder, value, { ...last, subscripts: resolution.subscripts }, context);
      return innerField(chosen, resolution.instance);
    }
    case 'literal': {
      const type = { path: resolution.enumeration, literals: resolution.literals };
      return simple(builder.pool.const(resolution.index), type, 'constant');
    }
    case 'builtin':
      if (resolution.name === 'time') return simple(builder.pool.time, 'Real', 'continuous');
      return builder.report('type-mismatch', `\`${resolution.name}\` is not a value.`, node, context, {
        hint: `Call it with its arguments: \`${resolution.name}(…)\`.`,
      });
    case 'class':
      return builder.report(
        'type-mismatch',
        `\`${resolution.class.path}\` is a class, not a value.`,
        node,
        context,
      );
    default:
      return unresolved(builder, node, resolution, context);
  }
}

/** The outermost array of records around a constant, or the constant itself: its subscripts count from there. */
function wholeConstant(instance: Instance): Instance {
  let whole = instance;
  for (let at: Instance | undefined = instance.parent; at?.kind === 'object'; at = at.parent) {
    if (at.dims.length > 0) whole = at;
  }
  return whole;
}

/** Descends from a value of `wholeConstant(instance)` to the part that the instance names. */
function innerField(value: Value, instance: Instance): Value {
  const whole = wholeConstant(instance);
  const names: string[] = [];
  for (let at: Instance | undefined = instance; at && at !== whole; at = at.parent) {
    if (at.parent?.kind !== 'object' || at.parent.dims.length === 0) names.unshift(at.name);
  }
  let current = value;
  for (const name of names) if (current.kind === 'record') current = current.fields.get(name) ?? current;
  return current;
}

/** The error for a name that means nothing here. */
export function unresolved(
  builder: Builder,
  node: ast.ComponentRef,
  resolution: Resolution,
  context: Context,
): Simple {
  if (resolution.kind === 'absent') {
    const message = `\`${resolution.path}\` is a conditional component that is absent here.`;
    return builder.report('unknown-name', message, node, context, {
      hint: 'Only connect may name a component whose condition is false.',
    });
  }
  if (resolution.kind !== 'unknown') {
    return builder.report('type-mismatch', `\`${refName(node)}\` cannot stand here.`, node, context);
  }
  const part = node.parts[resolution.part] ?? node.parts[node.parts.length - 1]!;
  const where = resolution.within ? ` in ${resolution.within}` : '';
  const message = resolution.reason ? `${resolution.reason}.` : `There is no \`${part.name}\`${where}.`;
  return builder.report('unknown-name', message, part, context, {
    hint: resolution.nearest && `Did you mean \`${resolution.nearest}\`?`,
  });
}

/** A reference as written, without subscripts. */
export function refName(node: ast.ComponentRef): string {
  return (node.global ? '.' : '') + node.parts.map((p) => p.name).join('.');
}

export function localValue(name: string, context: Context): Value | undefined {
  for (let local = context.locals; local; local = local.outer) if (local.name === name) return local.value;
  return undefined;
}

// ---------------------------------------------------------------- components

/** Components that a reference selects: all elements in row-major order, and their sizes. */
export interface Selection {
  readonly items: readonly Instance[];
  readonly dims: readonly number[];
  /** Subscripts of the last part where it is an array variable. */
  readonly subscripts: readonly ast.Subscript[];
  /** Subscripts that are known only at run time, one for each of `dims`; applied to the finished value. */
  readonly dynamic: readonly Index[] | undefined;
}

export function select(
  builder: Builder,
  node: ast.ComponentRef,
  resolution: Extract<Resolution, { kind: 'component' }>,
  context: Context,
): Selection | undefined {
  let items: Instance[] = [];
  let dims: number[] = [];
  let dynamic: Index[] | undefined;
  let arrays = false;
  for (let k = 0; k < node.parts.length; k++) {
    const part = node.parts[k]!;
    const resolved = resolution.parts[k]?.instance;
    items = k === 0 || !arrays ? (resolved ? [resolved] : []) : membersOf(items, part.name);
    if (items.length === 0 && dims.every((n) => n > 0)) return undefined;
    const first = items[0];
    if (first === undefined || first.kind === 'variable') {
      return { items, dims, subscripts: part.subscripts, dynamic };
    }
    if (first.dims.length === 0 && part.subscripts.length > 0) {
      builder.report('bad-subscript', `\`${part.name}\` is not an array.`, part, context);
      return undefined;
    }
    if (first.dims.length > 0) {
      arrays = true;
      const chosen = chooseElements(builder, items as ObjectInstance[], part, context);
      if (!chosen) return undefined;
      items = chosen.items;
      if (chosen.dynamic || dynamic) {
        dynamic = [...(dynamic ?? dims.map(whole)), ...(chosen.dynamic ?? chosen.dims.map(whole))];
      }
      dims = [...dims, ...chosen.dims];
    }
  }
  return { items, dims, subscripts: [], dynamic };
}

const whole = (): Index => ({ kind: 'all' });

function membersOf(items: readonly Instance[], name: string): Instance[] {
  const result: Instance[] = [];
  for (const item of items) {
    const member = item.kind === 'object' ? item.members.get(name) : undefined;
    if (member) result.push(member);
  }
  return result;
}

/** The elements of arrays of components that the subscripts of a part choose. */
function chooseElements(
  builder: Builder,
  arrays: readonly ObjectInstance[],
  part: ast.RefPart,
  context: Context,
): { items: Instance[]; dims: number[]; dynamic: Index[] | undefined } | undefined {
  const sizes = arrays[0]!.dims;
  const indices = indicesOf(builder, part.subscripts, sizes, part, context);
  if (!indices) return undefined;
  const lists: number[][] = [];
  let dynamic = false;
  for (let d = 0; d < sizes.length; d++) {
    const index = indices[d] ?? { kind: 'all' };
    const list = index.kind === 'all' ? upTo(sizes[d]!) : elementNumbers(builder, index);
    if (list) lists.push(list);
    else if (index.kind !== 'all' && needsValue(index.expr, context)) return undefined;
    else {
      dynamic = true;
      lists.push(upTo(sizes[d]!));
    }
  }
  const items: Instance[] = [];
  for (const array of arrays) for (const at of positions(lists, sizes)) items.push(array.elements[at]!);
  const kept = dynamic
    ? lists.map((list) => list.length)
    : lists.filter((_, d) => indices[d]?.kind !== 'element').map((list) => list.length);
  return {
    items,
    dims: kept,
    dynamic: dynamic ? sizes.map((_, d) => indices[d] ?? { kind: 'all' }) : undefined,
  };
}

function elementNumbers(builder: Builder, index: Exclude<Index, { kind: 'all' }>): number[] | undefined {
  if (!atMost(index.variability, 'parameter')) return undefined;
  const value = fixedValue(builder, index.expr);
  return value === undefined ? undefined : numbers(value);
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

/** Row-major positions of the combinations of subscripts. */
function positions(lists: readonly number[][], sizes: readonly number[]): number[] {
  let result = [0];
  for (let d = 0; d < sizes.length; d++) {
    const next: number[] = [];
    for (const at of result) for (const i of lists[d]!) next.push(at * sizes[d]! + i - 1);
    result = next;
  }
  return result;
}

/** The value of what a reference selects. */
function selectedValue(
  builder: Builder,
  selection: Selection,
  node: ast.ComponentRef,
  context: Context,
): Value {
  const first = selection.items[0];
  if (first === undefined) return simple(builder.pool.apply('array'), 'Real', 'constant', selection.dims);
  if (first.kind === 'object' && !isRecordLike(first)) {
    return builder.report(
      'type-mismatch',
      `\`${refName(node)}\` is a component, not a value.`,
      node,
      context,
      {
        hint: 'Name one of its variables.',
      },
    );
  }
  let parts = selection.items.map((item) => instanceValue(builder, item));
  if (selection.subscripts.length > 0) {
    const part = node.parts[node.parts.length - 1]!;
    const indices = indicesOf(builder, selection.subscripts, parts[0]!.dims, part, context);
    if (!indices) return builder.unknown;
    parts = parts.map((value) => indexed(builder, value, indices));
  }
  const value = stacked(builder, parts, selection.dims);
  return selection.dynamic ? indexed(builder, value, selection.dynamic) : value;
}

function isRecordLike(instance: ObjectInstance): boolean {
  return (
    instance.restriction === 'record' ||
    instance.restriction === 'operator record' ||
    instance.restriction.endsWith('connector')
  );
}

/** A variable, or a record with its fields, as a value. */
export function instanceValue(builder: Builder, instance: Instance): Value {
  if (instance.kind === 'variable') return variableValue(builder, instance);
  if (instance.dims.length > 0) {
    return stacked(
      builder,
      instance.elements.map((element) => instanceValue(builder, element)),
      instance.dims,
    );
  }
  const fields = new Map<string, Value>();
  for (const [name, member] of instance.members) fields.set(name, instanceValue(builder, member));
  return { kind: 'record', path: instance.class.path, dims: [], fields };
}

export function variableType(instance: VariableInstance): Simple['type'] {
  if (instance.type === 'enumeration') return instance.enumeration!;
  return instance.type === 'Clock' ? 'unknown' : instance.type;
}

function variableValue(builder: Builder, instance: VariableInstance): Simple {
  const symbol = builder.symbols.get(instance);
  const type = variableType(instance);
  // A constant of a package has no symbol: its value stands for it.
  if (symbol === undefined) return bindingOf(builder, instance) ?? builder.unknown;
  const variability = isDiscrete(builder, instance) ? 'discrete' : instance.variability;
  return simple(builder.pool.ref(symbol), type, variability, instance.dims);
}

/** Discrete-time by declaration, by type, or because a when-clause assigns it. */
export function isDiscrete(builder: Builder, instance: VariableInstance): boolean {
  if (instance.variability !== 'continuous') return instance.variability === 'discrete';
  return instance.type !== 'Real' || builder.assigned.has(instance);
}

/** Values of elements, row-major, as one array value. */
export function stacked(builder: Builder, parts: readonly Value[], dims: readonly number[]): Value {
  if (dims.length === 0) return parts[0]!;
  const first = parts[0];
  if (first === undefined) return simple(builder.pool.apply('array'), 'Real', 'constant', dims);
  if (first.kind === 'record') {
    const fields = new Map<string, Value>();
    for (const name of first.fields.keys()) {
      const column = parts.map((p) => (p.kind === 'record' ? p.fields.get(name)! : p));
      fields.set(name, stacked(builder, column, dims));
    }
    return { kind: 'record', path: first.path, dims: [...dims, ...first.dims], fields };
  }
  let variability: Variability = 'constant';
  let level: Expr[] = [];
  for (const part of parts as Simple[]) {
    variability = join(variability, part.variability);
    level.push(part.expr);
  }
  for (let d = dims.length - 1; d >= 0; d--) {
    const next: Expr[] = [];
    for (let i = 0; i < level.length; i += dims[d]!) {
      next.push(builder.pool.apply('array', ...level.slice(i, i + dims[d]!)));
    }
    level = next;
  }
  return simple(level[0]!, first.type, variability, [...dims, ...first.dims]);
}

// ---------------------------------------------------------------- members and subscripts of values

/** `value.a[i].b`: the parts of a reference from number `from` on, applied to a value. */
export function memberOf(
  builder: Builder,
  value: Value,
  node: ast.ComponentRef,
  from: number,
  context: Context,
): Value {
  let current = value;
  for (let k = from; k < node.parts.length; k++) {
    if (isUnknown(current)) return current;
    const part = node.parts[k]!;
    const field: Value | undefined = current.kind === 'record' ? current.fields.get(part.name) : undefined;
    if (!field) {
      return builder.report(
        'unknown-name',
        `There is no \`${part.name}\` in \`${node.parts[k - 1]!.name}\`.`,
        part,
        context,
      );
    }
    current = subscripted(builder, field, part, context);
  }
  return current;
}

function subscripted(builder: Builder, value: Value, part: ast.RefPart, context: Context): Value {
  if (part.subscripts.length === 0 || isUnknown(value)) return value;
  const indices = indicesOf(builder, part.subscripts, value.dims, part, context);
  return indices ? indexed(builder, value, indices) : builder.unknown;
}

/** Translates subscripts and checks them against the sizes of what they subscript. */
export function indicesOf(
  builder: Builder,
  subscripts: readonly ast.Subscript[],
  dims: readonly number[],
  part: ast.RefPart,
  context: Context,
): Index[] | undefined {
  if (subscripts.length > dims.length) {
    const has =
      dims.length === 0
        ? 'is a scalar'
        : `has ${dims.length} ${dims.length === 1 ? 'dimension' : 'dimensions'}`;
    builder.report(
      'bad-subscript',
      `\`${part.name}\` ${has} but gets ${subscripts.length} subscripts.`,
      part,
      context,
    );
    return undefined;
  }
  const result: Index[] = [];
  for (let d = 0; d < subscripts.length; d++) {
    const index = indexOf(builder, subscripts[d]!, dims[d]!, part, context);
    if (!index) return undefined;
    result.push(index);
  }
  return result;
}

function indexOf(
  builder: Builder,
  node: ast.Subscript,
  size: number,
  part: ast.RefPart,
  context: Context,
): Index | undefined {
  if (node.kind === 'colon') return { kind: 'all' };
  const value = expression(builder, node, { ...context, end: size });
  if (isUnknown(value)) return undefined;
  const integer =
    value.kind === 'simple' &&
    (value.type === 'Integer' || value.type === 'Boolean' || typeof value.type === 'object');
  if (!integer || value.dims.length > 1) {
    builder.report('type-mismatch', `A subscript of \`${part.name}\` must be an Integer.`, node, context);
    return undefined;
  }
  const given = value.type === 'Boolean' ? builder.pool.add(value.expr, builder.pool.one) : value.expr;
  const expr = withParameterValues(builder, given);
  if (!inBounds(builder, expr, value.dims, size, node, part, context)) return undefined;
  return value.dims.length === 0
    ? { kind: 'element', expr, variability: value.variability }
    : { kind: 'slice', expr, size: value.dims[0]!, variability: value.variability };
}

/** Parameters in subscripts decide which variables an equation contains, so their values are put in. */
function withParameterValues(builder: Builder, expr: Expr): Expr {
  if (expr.kind === 'const' || expr.kind === 'iter') return expr;
  return substitute(builder.pool, expr, (leaf) => {
    if (leaf.kind !== 'ref') return undefined;
    const value = fixedNumber(builder, leaf);
    return value === undefined ? undefined : builder.pool.const(value);
  });
}

/** False, with a message, where a constant subscript lies outside its dimension. */
function inBounds(
  builder: Builder,
  expr: Expr,
  dims: readonly number[],
  size: number,
  node: ast.Expression,
  part: ast.RefPart,
  context: Context,
): boolean {
  const bounds = dims.length === 0 ? [literalValue(builder, expr)] : rangeBounds(builder, expr);
  for (const at of bounds) {
    if (at === undefined || (at >= 1 && at <= size)) continue;
    const range = size === 0 ? 'the dimension is empty' : `the dimension goes from 1 to ${size}`;
    builder.report(
      'bad-subscript',
      `Subscript ${at} of \`${part.name}\` is outside: ${range}.`,
      node,
      context,
    );
    return false;
  }
  return true;
}

function rangeBounds(builder: Builder, expr: Expr): (number | undefined)[] {
  if (expr.kind !== 'apply' || expr.op !== 'range') return [];
  const [first, step, last] = expr.args.map((arg) => literalValue(builder, arg));
  if (first === undefined || step === undefined || last === undefined) return [];
  if (step > 0 ? first > last : first < last) return [];
  return [first, first + Math.floor((last - first) / step + 1e-9) * step];
}

/** Applies translated subscripts to a value; missing ones stand for whole dimensions. */
export function indexed(builder: Builder, value: Value, indices: readonly Index[]): Value {
  if (indices.every((index) => index.kind === 'all')) return value;
  const dims = (of: readonly number[]): number[] =>
    of.flatMap((n, d) => {
      const index = indices[d];
      if (!index || index.kind === 'all') return [n];
      return index.kind === 'slice' ? [index.size] : [];
    });
  let variability: Variability = 'constant';
  for (const index of indices) if (index.kind !== 'all') variability = join(variability, index.variability);
  const result = mapLeaves(value, (leaf) => ({
    ...leaf,
    expr: indexExpr(builder, leaf.expr, indices, leaf.dims.length),
    dims: dims(leaf.dims),
    variability: join(leaf.variability, variability),
  }));
  return withDims(result, dims);
}

/** Adjusts the sizes that nested records carry; the leaves have theirs already. */
function withDims(value: Value, dims: (of: readonly number[]) => number[]): Value {
  if (value.kind === 'simple') return value;
  const fields = new Map<string, Value>();
  for (const [name, field] of value.fields) fields.set(name, withDims(field, dims));
  return { ...value, dims: dims(value.dims), fields };
}

function indexExpr(builder: Builder, expr: Expr, indices: readonly Index[], rank: number): Expr {
  const { pool } = builder;
  const first = indices[0];
  if (expr.kind === 'apply' && expr.op === 'array' && first?.kind === 'element') {
    const at = fixedIfConstant(first.expr);
    const element = at === undefined ? undefined : expr.args[at - 1];
    if (element)
      return indices.length === 1 ? element : indexExpr(builder, element, indices.slice(1), rank - 1);
  }
  const subscripts: Expr[] = [];
  for (let d = 0; d < rank; d++) {
    const index = indices[d];
    subscripts.push(!index || index.kind === 'all' ? pool.apply('colon') : index.expr);
  }
  if (subscripts.every((s) => s.kind === 'apply' && s.op === 'colon')) return expr;
  if (expr.kind === 'ref' && expr.subscripts.length === 0)
    return pool.ref(expr.symbol, expr.order, subscripts);
  if (expr.kind === 'pre' && expr.subscripts.length === 0) return pool.pre(expr.symbol, subscripts);
  if (expr.kind === 'local' && expr.subscripts.length === 0) return pool.local(expr.index, subscripts);
  return pool.apply('subscript', expr, ...subscripts);
}

const fixedIfConstant = (expr: Expr): number | undefined => (expr.kind === 'const' ? expr.value : undefined);

/** The elements of an array value, row-major. */
export function elementsOf(builder: Builder, value: Value): Value[] {
  const n = count(value.dims);
  const result: Value[] = [];
  for (let k = 0; k < n; k++) {
    const indices: Index[] = [];
    let rest = k;
    for (let d = value.dims.length - 1; d >= 0; d--) {
      indices.unshift({
        kind: 'element',
        expr: builder.pool.const((rest % value.dims[d]!) + 1),
        variability: 'constant',
      });
      rest = Math.floor(rest / value.dims[d]!);
    }
    result.push(indexed(builder, value, indices));
  }
  return result;
}

/** A size or count that must be known now, or undefined with a message (or unrolling asked for). */
export function requiredInteger(
  builder: Builder,
  value: Value,
  what: string,
  node: ast.Node,
  context: Context,
): number | undefined {
  if (isUnknown(value)) return undefined;
  const ok = value.kind === 'simple' && value.dims.length === 0;
  if (!ok || (value.type !== 'Integer' && typeof value.type !== 'object' && value.type !== 'Boolean')) {
    builder.report('type-mismatch', `${what} must be an Integer.`, node, context);
    return undefined;
  }
  if (needsValue(value.expr, context)) return undefined;
  const n = fixedNumber(builder, value.expr);
  if (n === undefined) notFixed(builder, value, what, node, context);
  return n;
}

export function notFixed(
  builder: Builder,
  value: Simple,
  what: string,
  node: ast.Node,
  context: Context,
): void {
  if (!atMost(value.variability, 'parameter')) {
    builder.report('variability', `${what} must be known before the simulation starts.`, node, context, {
      hint: 'Use constants and parameters only.',
    });
  } else {
    builder.report('no-value', `${what} has no value that can be computed here.`, node, context, {
      hint: 'Give the parameters that it depends on a value.',
    });
  }
}
