/**
 * Declaration equations. A binding is translated when it is first needed (a size may depend on a parameter that is
 * declared later) and kept; one that depends on itself is reported. The binding of a record as a whole gives each
 * member its part.
 */
import { sameItems } from '../../collections/lists.ts';
import { warning } from '../../diagnostic/diagnostic.ts';
import { eachFix, eachHint, scalarGiven } from '../../model/classes/modification.ts';
import type {
  Bound,
  ElementBound,
  ElementNumber,
  Instance,
  ObjectInstance,
  VariableInstance,
} from '../../model/instance.ts';
import { dimsName } from '../../model/value.ts';
import { subscriptsOf } from '../../names/names.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { type Context, contextOf, type FlatBuilder } from '../core/context.ts';
import {
  commonType,
  count,
  isUnknown,
  join,
  nameOf,
  type Simple,
  typeName,
  type Value,
} from '../core/values.ts';
import { expression } from './expressions.ts';
import { variableType } from './references.ts';
import { elementIndex, elementsOf, indexed } from './subscripts.ts';

/** The declaration equation of a variable, with the variable's own sizes; undefined where it has none. */
export function bindingOf(builder: FlatBuilder, instance: VariableInstance): Simple | undefined {
  const known = builder.bindings.get(instance);
  if (known === 'busy') {
    cyclic(builder, instance);
    return undefined;
  }
  if (known || builder.bindings.has(instance)) return known;
  const [start] = builder.mark();
  builder.bindings.set(instance, 'busy');
  const value = translated(builder, instance);
  builder.bindings.set(instance, value);
  builder.spoiled(start, () => builder.bindings.delete(instance));
  builder.said(start);
  return value;
}

function translated(builder: FlatBuilder, instance: VariableInstance): Simple | undefined {
  const element = builder.clockElements.get(instance);
  if (element) {
    const all = bindingOf(builder, element.array);
    return all && (elementsOf(builder, all)[element.position] as Simple);
  }
  if (instance.binding) return boundValue(builder, instance.binding, instance);
  const holder = recordWithBinding(instance);
  return holder && givenMember(builder, holder, instance);
}

function cyclic(builder: FlatBuilder, instance: Instance): void {
  const message = `The value of \`${instance.path}\` is defined in terms of itself.`;
  if (builder.diagnostics.some((d) => d.code === 'cyclic-definition' && d.message === message)) return;
  builder.reportAt('cyclic-definition', message, { span: instance.span });
}

interface AttributeKind {
  readonly name: string;
  readonly type: Simple['type'];
}

/** A declaration's or modifier's value for a variable (or attribute of it), checked against its type and sizes. */
export function boundValue(
  builder: FlatBuilder,
  bound: Bound,
  instance: VariableInstance,
  attribute?: AttributeKind,
): Simple | undefined {
  const value = wholeValue(builder, bound, instance, attribute);
  if (!value || !bound.elements) return value;
  return withElements(builder, value, bound.elements, instance, attribute);
}

function wholeValue(
  builder: FlatBuilder,
  bound: Bound,
  instance: VariableInstance,
  attribute: AttributeKind | undefined,
  { path, dims: sizes }: Pick<VariableInstance, 'path' | 'dims'> = instance,
): Simple | undefined {
  const value = rawValue(builder, bound, instance, attribute !== undefined);
  if (isUnknown(value)) return undefined;
  const what = attribute ? `\`${attribute.name}\` of \`${path}\`` : `\`${path}\``;
  const type = attribute?.type ?? variableType(instance);
  const problem = (code: 'type-mismatch' | 'dimension-mismatch', message: string): undefined => {
    builder.reportAt(code, message, {
      span: bound.span,
      notes: [{ message: `\`${instance.path}\` is declared here`, span: instance.span }],
    });
  };
  if (value.kind === 'record' || !assignable(type, value.type)) {
    return problem('type-mismatch', `${what} is ${nameOf(type)} but is given ${typeName(value)}.`);
  }
  if (sameItems(value.dims, sizes)) return { ...value, type };
  const scalar = value.dims.length === 0 && (bound.each || attribute !== undefined);
  if (!scalar) {
    const message = `${what} ${sizes.length === 0 ? 'is a scalar' : `has sizes ${dimsName(sizes)}`} but is given ${dimsName(value.dims)}.`;
    return problem('dimension-mismatch', message);
  }
  if (attribute && !bound.each && !bound.outside) warnOfScalar(builder, bound, what);
  if (attribute) return { ...value, type };
  const { pool } = builder;
  const expr = pool.apply('fill', value.expr, ...sizes.map((n) => pool.const(n)));
  return { ...value, expr, type, dims: sizes };
}

/** A scalar for an attribute of an array, or for something in an array of components, needs `each` (section 7.2.5); what is meant is clear without it. */
function warnOfScalar(
  { diagnostics }: FlatBuilder,
  { span }: Bound,
  what: string,
  why = 'is an array',
): void {
  const isKnown = diagnostics.some(
    (one) => one.span?.source === span.source && one.span.start === span.start,
  );
  if (!isKnown)
    diagnostics.push(
      warning('dimension-mismatch', scalarGiven(what, why), { span, hint: eachHint, fix: eachFix(span) }),
    );
}

/** A value with other values for single elements. */
function withElements(
  builder: FlatBuilder,
  whole: Simple,
  elements: readonly ElementBound[],
  instance: VariableInstance,
  attribute: AttributeKind | undefined,
): Simple | undefined {
  const { pool, families } = builder;
  const { dims } = instance;
  const parts = Array.from({ length: count(dims) }, (_, k): Simple => {
    const part = whole.dims.length > 0 ? atSubscripts(builder, whole, subscriptsOf(dims, k)) : whole;
    return part as Simple;
  });
  for (const { index, where, value: given } of elements) {
    const subscripts = index.length > 0 ? `[${index.join(', ')}]` : '';
    const place = { path: `${instance.path}${subscripts}`, dims: [] };
    const value = wholeValue(builder, given, instance, attribute, place);
    if (!value) return undefined;
    const k = index.reduce((at, n, d) => at * dims[d]! + n - 1, 0);
    const expr = where.reduceRight((own, { at, is }) => {
      const number = pool.iter(families.of(at.array)!.iterators[at.dimension]!);
      return pool.if(pool.apply('eq', number, pool.const(is)), own, parts[k]!.expr);
    }, value.expr);
    parts[k] = { ...value, expr, variability: join(value.variability, parts[k]!.variability) };
  }
  const nested = (from: number, [n, ...rest]: readonly number[]): Expr =>
    n === undefined
      ? parts[from]!.expr
      : pool.apply('array', ...Array.from({ length: n }, (_, k) => nested(from + k * count(rest), rest)));
  const variability = parts.reduce((v, part) => join(v, part.variability), whole.variability);
  return { ...whole, expr: nested(0, dims), dims, variability };
}

export function assignable(to: Simple['type'], from: Simple['type']): boolean {
  const common = commonType(to, from);
  return (
    common !== undefined && (common === 'unknown' || common === to || (to === 'Real' && from === 'Integer'))
  );
}

function rawValue(builder: FlatBuilder, bound: Bound, instance: Instance, isAttribute = false): Value {
  const context: Context = {
    ...contextOf(builder, bound.scope, instance.parent?.path ?? '', 'declaration'),
    once: isAttribute || instance.kind !== 'variable' || instance.variability === 'parameter',
    wantsText: instance.kind === 'variable' && instance.type === 'String',
  };
  let node = bound.value;
  let taken = 0;
  // The element of a list that was written out; translating all of it for each element would cost its square.
  while (node.kind === 'array' && taken < bound.subscripts.length) {
    const at = bound.subscripts[taken]!;
    const element = typeof at === 'number' ? node.elements[at - 1] : undefined;
    if (!element) break;
    node = element;
    taken++;
  }
  const value = expression(node, context);
  if (taken === bound.subscripts.length || isUnknown(value)) return value;
  const rest = bound.subscripts.slice(taken);
  if (value.dims.length === 0 && !bound.outside)
    warnOfScalar(builder, bound, `\`${instance.path}\``, 'is in an array');
  return fitsElements(builder, value, rest, bound, instance)
    ? atSubscripts(builder, value, rest)
    : builder.unknown;
}

/** False, with a message, where a value is given to the elements of a uniform array but does not have its sizes. */
function fitsElements(
  builder: FlatBuilder,
  value: Value,
  subscripts: readonly (number | ElementNumber)[],
  { span }: Bound,
  instance: Instance,
): boolean {
  if (value.dims.length < subscripts.length) return true;
  for (const [d, at] of subscripts.entries()) {
    if (typeof at === 'number' || value.dims[d] === at.array.dims[at.dimension]) continue;
    const wanted = subscripts.map((one, k) =>
      typeof one === 'number' ? value.dims[k] : one.array.dims[one.dimension],
    );
    const own = value.dims.slice(0, subscripts.length);
    const message = `The value for \`${instance.path}\` has sizes ${dimsName(own)}, but \`${at.array.path}\` has sizes ${dimsName(wanted as number[])}.`;
    builder.reportAt('dimension-mismatch', message, { span });
    builder.conclusive = true;
    return false;
  }
  return true;
}

function atSubscripts(
  builder: FlatBuilder,
  value: Value,
  subscripts: readonly (number | ElementNumber)[],
): Value {
  if (value.dims.length < subscripts.length) return value;
  const { pool, families } = builder;
  const indices = subscripts.map((at) =>
    elementIndex(
      typeof at === 'number' ? pool.const(at) : pool.iter(families.of(at.array)!.iterators[at.dimension]!),
    ),
  );
  return indexed(builder, value, indices);
}

// ---------------------------------------------------------------- records

/** The record or connector around a variable without a value of its own whose declaration equation gives it one. */
export function recordWithBinding(instance: VariableInstance): ObjectInstance | undefined {
  for (let at: Instance | undefined = instance.parent; at?.kind === 'object'; at = at.parent) {
    if (!/(record|connector)$/.test(at.restriction)) return undefined;
    if (at.binding) return at;
  }
  return undefined;
}

/** The part of a record's value that is for one of its variables. */
export function givenMember(
  builder: FlatBuilder,
  record: ObjectInstance,
  instance: VariableInstance,
): Simple | undefined {
  const known = builder.records.get(record);
  if (known === 'busy') {
    cyclic(builder, record);
    return undefined;
  }
  let value = known;
  if (!value) {
    builder.records.set(record, 'busy');
    value = rawValue(builder, record.binding!, record);
    if (isLarger(builder, value, record)) value = builder.unknown;
    builder.records.set(record, value);
  }
  if (isUnknown(value)) return undefined;
  const leaf = descend(builder, value, record, instance);
  if (!leaf || !sameItems(leaf.dims, instance.dims) || !assignable(variableType(instance), leaf.type)) {
    const message = `The value of \`${record.path}\` does not fit its member \`${instance.path}\`.`;
    builder.reportAt('type-mismatch', message, {
      span: record.binding!.span,
    });
    return undefined;
  }
  return leaf;
}

/** Whether a value has fields that a record lacks, which is said: both must have the same ones (section 6.7). */
function isLarger(builder: FlatBuilder, value: Value, record: ObjectInstance): boolean {
  if (value.kind !== 'record') return false;
  const like = record.dims.length > 0 ? record.elements[0] : record;
  const extra = like && [...value.fields.keys()].find((name) => !like.members.has(name));
  if (extra === undefined) return false;
  const message = `\`${record.path}\` has no field \`${extra}\`, which its value of the type \`${value.path}\` has.`;
  builder.reportAt('type-mismatch', message, {
    span: record.binding!.span,
    notes: [{ message: `\`${record.path}\` is declared here`, span: record.span }],
  });
  return true;
}

/** Follows the path from a record down to one of its variables through a value of that record. */
function descend(
  builder: FlatBuilder,
  value: Value,
  record: ObjectInstance,
  instance: VariableInstance,
): Simple | undefined {
  const path: Instance[] = [];
  for (let at: Instance | undefined = instance; at && at !== record; at = at.parent) path.unshift(at);
  let current: Value | undefined = value;
  for (const step of path) {
    if (current?.kind !== 'record') return undefined;
    const parent = step.parent;
    if (parent?.kind === 'object' && builder.families.of(parent)) {
      const numbers = parent.dims.map((_, dimension) => ({ array: parent, dimension }));
      current = atSubscripts(builder, current, numbers);
    } else if (parent?.kind === 'object' && parent.dims.length > 0) {
      const at = parent.elements.indexOf(step as ObjectInstance);
      current = at >= 0 ? atSubscripts(builder, current, subscriptsOf(parent.dims, at)) : undefined;
    } else current = current.fields.get(step.name);
  }
  return current?.kind === 'simple' ? current : undefined;
}
