/**
 * References to components, iterators, constants and enumeration literals, with subscripts (Modelica 3.6, chapters
 * 5.3 and 10.5). A reference to an array variable stays one symbol, and so does one through a uniform array of components,
 * whose subscripts become those of the symbol (`flat/core/families.ts`); a reference through any other array of components is a
 * selection among its elements, each with symbols of its own.
 */
import { isPart } from '../../builtin/whole.ts';
import { sameItems } from '../../collections/lists.ts';
import type { DiagnosticOptions } from '../../diagnostic/diagnostic.ts';
import { respelt } from '../../diagnostic/fix.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import { entityOf } from '../../model/classes/class.ts';
import { missingLibrary, resolve } from '../../model/classes/lookup.ts';
import { operatorRecordOf } from '../../model/classes/overloads.ts';
import { builtInName } from '../../model/classes/settings.ts';
import { shapeOf } from '../../model/classes/shape.ts';
import type { Instance, ObjectInstance, Resolution, VariableInstance } from '../../model/instance.ts';
import { dimsName } from '../../model/value.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, report, spanOf } from '../core/context.ts';
import { outerDims } from '../core/families.ts';
import { atMost, isUnknown, join, type Simple, simple, type Value } from '../core/values.ts';
import type { Variability } from '../flat.ts';
import { bindingOf } from './bindings.ts';
import { constantValue, fixedValue, numbers } from './constants.ts';
import { needsValue } from './iteration.ts';
import { elementIndex, type Index, indexed, indicesOf, keptSizes } from './subscripts.ts';

export function reference(node: ast.ComponentRef, context: Context): Value {
  const { builder } = context;
  const local = node.global ? undefined : localValue(node.parts[0]!.name, context);
  if (local) return memberOf(subscripted(local, node.parts[0]!, context), node, 1, context);
  const resolution = resolve(context.scope, node);
  switch (resolution.kind) {
    case 'component': {
      const instances = resolution.parts.map(({ instance }) => instance);
      if (!isUsable(instances, node, context)) return builder.unknown;
      const selection = select(node, resolution, context);
      return selection ? selectedValue(selection, instances.at(-1)!, node, context) : builder.unknown;
    }
    case 'constant': {
      const last = node.parts[node.parts.length - 1]!;
      const whole = wholeConstant(resolution.instance);
      const outer = whole === resolution.instance ? 0 : whole.dims.length;
      const at = (value: Value, subscripts: readonly ast.Subscript[]): Value =>
        subscripted(value, { ...last, subscripts }, context);
      const record = at(instanceValue(builder, whole), resolution.subscripts.slice(0, outer));
      return at(innerField(record, resolution.instance, whole), resolution.subscripts.slice(outer));
    }
    case 'literal': {
      const type = { path: resolution.enumeration, literals: resolution.literals };
      return simple(builder.pool.const(resolution.index), type, 'constant');
    }
    case 'builtin':
      if (resolution.name === 'time' && context.place === 'function')
        return report('unknown-name', 'There is no `time` in a function.', node, context, {
          hint: 'Make it an input of the function.',
        });
      if (resolution.name === 'time') return simple(builder.pool.time, 'Real', 'continuous');
      return report('type-mismatch', `\`${resolution.name}\` is not a value.`, node, context, {
        hint: `Call it with its arguments: \`${resolution.name}(…)\`.`,
      });
    case 'class': {
      if (shapeOf(entityOf(resolution.class)).restriction === 'function')
        return report('type-mismatch', `\`${refName(node)}\` is a function, not a value.`, node, context, {
          hint: 'Call it, or give it to an input that is declared as a function.',
        });
      const message = `\`${resolution.class.path}\` is a class, not a value.`;
      return report('type-mismatch', message, node, context);
    }
    default:
      return unresolved(node, resolution, context);
  }
}

/** A component with a condition can be modified and connected, nothing else (section 4.4.5). */
export function isUsable(instances: readonly Instance[], node: ast.ComponentRef, context: Context): boolean {
  const conditional = instances.find((instance) => instance.conditional);
  if (!conditional) return true;
  const message = `\`${conditional.path}\` is a conditional component: only connect can name it.`;
  report('not-allowed', message, node, context, {
    hint: 'Connect it to a connector that is always there, and use that one; or declare it without a condition.',
  });
  return false;
}

/** The outermost array of records around a constant, or the constant itself: its subscripts count from there. */
function wholeConstant(instance: Instance): Instance {
  let whole = instance;
  for (let at: Instance | undefined = instance.parent; at?.kind === 'object'; at = at.parent) {
    if (at.dims.length > 0) whole = at;
  }
  return whole;
}

/** Descends from a value of `whole` to the part that the instance names. */
function innerField(value: Value, instance: Instance, whole: Instance): Value {
  const names: string[] = [];
  for (let at: Instance | undefined = instance; at && at !== whole; at = at.parent) {
    if (at.parent?.kind !== 'object' || at.parent.dims.length === 0) names.unshift(at.name);
  }
  let current = value;
  for (const name of names) if (current.kind === 'record') current = current.fields.get(name) ?? current;
  return current;
}

/** The error for a name that means nothing here. */
export function unresolved(node: ast.ComponentRef, resolution: Resolution, context: Context): Simple {
  if (resolution.kind === 'absent' && resolution.expandable)
    return report(
      'unknown-name',
      `\`${resolution.path}\` is not present: no connect names it.`,
      node,
      context,
      {
        hint: 'What an expandable connector declares exists where it is connected.',
      },
    );
  if (resolution.kind === 'absent') {
    const message = `\`${resolution.path}\` is a conditional component that is absent here.`;
    return report('unknown-name', message, node, context, {
      hint: 'Only connect may name a component whose condition is false.',
    });
  }
  if (resolution.kind !== 'unknown') {
    return report('type-mismatch', `\`${refName(node)}\` cannot stand here.`, node, context);
  }
  const part = node.parts[resolution.part] ?? node.parts[node.parts.length - 1]!;
  const result = resultOf(node, resolution, context);
  if (result) return result;
  const where = resolution.within ? ` in ${resolution.within}` : '';
  const message = resolution.reason ? `${resolution.reason}.` : `There is no \`${part.name}\`${where}.`;
  if (resolution.nearest || resolution.reason)
    return report('unknown-name', message, part, context, {
      hint: resolution.hint ?? didYouMean(resolution.nearest),
      fix: resolution.hint ? undefined : respelt(spanOf(part, context), part.name, resolution.nearest),
    });
  const isLibrary = resolution.part === 0 && node.parts.length > 1 && /^[A-Z]/.test(part.name);
  const help = isLibrary ? outOfLibrary(node, context) : { hint: knownNames(resolution) };
  return report('unknown-name', message, part, context, help);
}

/** What helps where a constant of a library is named that is not there: the own one may have the same. */
function outOfLibrary(
  node: ast.ComponentRef,
  { scope }: Context,
): Pick<DiagnosticOptions, 'hint' | 'commandHint'> {
  const [first, ...rest] = node.parts as [ast.RefPart, ...ast.RefPart[]];
  const own = { ...node, parts: [{ ...first, name: 'Mutabor' }, ...rest] };
  const { hint, commandHint } = missingLibrary(entityOf(scope.lexical).library, first.name);
  if (resolve(scope, own).kind !== 'constant') return { hint, commandHint };
  const there = `There is \`${refName(own)}\`.`;
  return { hint: `${there} ${hint}`, commandHint: `${there} ${commandHint}` };
}

/** What code stores of a component is there after the run only. */
function resultOf(
  node: ast.ComponentRef,
  { part: at, class: own }: Extract<Resolution, { kind: 'unknown' }>,
  context: Context,
): Simple | undefined {
  const mark = own && builtInName(entityOf(own));
  const code = mark && context.builder.builtIns.find(({ name }) => name === mark.value);
  const part = node.parts[at];
  if (!part || !code || !isPart(code) || !Object.hasOwn(code.results ?? {}, part.name)) return undefined;
  const owner = refName({ ...node, parts: node.parts.slice(0, at) });
  const message = `\`${owner}.${part.name}\` is a result of the run, which equations cannot read.`;
  return report('unknown-name', message, part, context, { hint: code.reading?.(owner, part.name) });
}

/** What there is in the component in which a name was not found. */
function knownNames({ within, known = [] }: Extract<Resolution, { kind: 'unknown' }>): string | undefined {
  if (known.length === 0) return undefined;
  const list = known.slice(0, 8).map((name) => `\`${name}\``);
  return `\`${within}\` has ${list.join(', ')}${known.length > 8 ? ', …' : ''}.`;
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

/**
 * Components that a reference selects. Those of arrays that are written out are listed in row-major order; in uniform arrays
 * the same elements are selected for every item.
 */
export interface Selection {
  readonly items: readonly Instance[];
  /** The array of components whose elements they are, where the last part names one: what there are none of, too. */
  readonly array: ObjectInstance | undefined;
  /** Sizes of the selection: of the list of items, then of what is selected in uniform arrays. */
  readonly dims: readonly number[];
  /** How many of the sizes are those of the list of items. */
  readonly listed: number;
  /** What is selected in the uniform arrays around each item, one for each of their dimensions. */
  readonly numbers: readonly Index[];
  /** Subscripts of the last part where it is an array variable. */
  readonly subscripts: readonly ast.Subscript[];
  /** Subscripts that are known only at run time, one for each of `dims`; applied to the finished value. */
  readonly dynamic: readonly Index[] | undefined;
}

export function select(
  node: ast.ComponentRef,
  resolution: Extract<Resolution, { kind: 'component' }>,
  context: Context,
): Selection | undefined {
  const { builder } = context;
  let items: Instance[] = [];
  let dims: number[] = [];
  let dynamic: Index[] | undefined;
  let arrays = false;
  let array: ObjectInstance | undefined;
  let numbers = numbersOf(builder, resolution.parts[0]!.instance);
  const kept: number[] = [];
  const selection = (subscripts: readonly ast.Subscript[]): Selection => ({
    items,
    array,
    dims: [...dims, ...kept],
    listed: dims.length,
    numbers,
    subscripts,
    dynamic,
  });
  for (let k = 0; k < node.parts.length; k++) {
    const part = node.parts[k]!;
    const resolved = resolution.parts[k]?.instance;
    const around = items[0];
    array = undefined;
    items = k === 0 || !arrays ? (resolved ? [resolved] : []) : membersOf(items, part.name);
    // What stands outside of a uniform array has none of the numbers of its elements.
    if (arrays && around?.kind === 'object' && around.outers?.has(part.name))
      builder.families.demandSingle(around);
    if (items.length === 0 && dims.every((n) => n > 0)) return undefined;
    const first = items[0];
    if (first === undefined || first.kind === 'variable') return selection(part.subscripts);
    if ((first.dims.length === 0 || first.names) && part.subscripts.length > 0)
      return refuse('bad-subscript', `\`${part.name}\` is not an array.`, part, context);
    if (builder.families.of(first)) {
      arrays = true;
      const own = chosenNumbers(first, part, context);
      if (!own) return undefined;
      numbers = [...numbers, ...own];
      kept.push(...keptSizes(own, first.dims));
      items = items.map((item) => (item as ObjectInstance).template!);
    } else if (first.dims.length > 0) {
      arrays = true;
      // The elements of a list would come before those of the uniform array around it.
      if (kept.length > 0) builder.families.demandSingle(first);
      const chosen = chooseElements(items as ObjectInstance[], part, context);
      if (!chosen) return undefined;
      array = first;
      items = chosen.items;
      if (chosen.dynamic || dynamic) {
        dynamic = [...(dynamic ?? dims.map(whole)), ...(chosen.dynamic ?? chosen.dims.map(whole))];
      }
      dims = [...dims, ...chosen.dims];
    }
  }
  return selection([]);
}

/** The elements of a uniform array that a part of a reference chooses: by subscripts or, of gathered components, by name. */
function chosenNumbers(array: ObjectInstance, part: ast.RefPart, context: Context): Index[] | undefined {
  if (array.names) {
    const { pool, families } = context.builder;
    return [elementIndex(pool.const(families.numberOf(array, part.name)))];
  }
  const indices = indicesOf(part.subscripts, array.dims, part, context, array.indexTypes);
  return indices && array.dims.map((_, d) => indices[d] ?? whole());
}

const whole = (): Index => ({ kind: 'all' });

/** The numbers of the elements at hand: those that the text around an instance belongs to. */
function numbersOf(builder: FlatBuilder, instance: Instance): readonly Index[] {
  const around = builder.families.around(instance);
  if (around.length === 0) return noNumbers;
  return around.flatMap(({ iterators }) => iterators.map((k) => elementIndex(builder.pool.iter(k))));
}

const noNumbers: readonly Index[] = [];

function membersOf(items: readonly Instance[], name: string): Instance[] {
  const result: Instance[] = [];
  for (const item of items) {
    const member = item.kind === 'object' ? (item.outers?.get(name) ?? item.members.get(name)) : undefined;
    if (member) result.push(member);
  }
  return result;
}

/** The elements of arrays of components that the subscripts of a part choose. */
export function chooseElements(
  arrays: readonly ObjectInstance[],
  part: ast.RefPart,
  context: Context,
): { items: Instance[]; dims: number[]; indices: Index[]; dynamic: Index[] | undefined } | undefined {
  const { dims: sizes, indexTypes } = arrays[0]!;
  const other = arrays.find(({ dims }) => !sameItems(dims, sizes));
  if (other) {
    const message = `The arrays \`${arrays[0]!.path}\` and \`${other.path}\` have different sizes: ${dimsName(sizes)} and ${dimsName(other.dims)}.`;
    return refuse('dimension-mismatch', message, part, context, {
      hint: 'Name the components that contain them one by one.',
    });
  }
  const indices = indicesOf(part.subscripts, sizes, part, context, indexTypes);
  if (!indices) return undefined;
  const lists: number[][] = [];
  let dynamic = false;
  for (let d = 0; d < sizes.length; d++) {
    const index = indices[d] ?? { kind: 'all' };
    const list = index.kind === 'all' ? upTo(sizes[d]!) : elementNumbers(context.builder, index);
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
    indices,
    dynamic: dynamic ? sizes.map((_, d) => indices[d] ?? { kind: 'all' }) : undefined,
  };
}

export function elementNumbers(
  builder: FlatBuilder,
  index: Exclude<Index, { kind: 'all' }>,
): number[] | undefined {
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

/** The value of what a reference selects; `declared` is what its last part names. */
function selectedValue(
  selection: Selection,
  declared: Instance,
  node: ast.ComponentRef,
  context: Context,
): Value {
  const { builder } = context;
  const first = selection.items[0];
  if (first === undefined) return nothing(builder, selection, declared);
  if (first.kind === 'object' && !isRecordLike(first)) {
    if (context.measured === node) return simple(builder.pool.zero, 'Real', 'constant', selection.dims);
    const message = `\`${refName(node)}\` is a component, not a value.`;
    return report('type-mismatch', message, node, context, {
      hint: context.wantsText
        ? `If it is to be named, write "${refName(node)}".`
        : 'Name one of its variables.',
    });
  }
  let parts = selection.items.map((item) => instanceValue(builder, item, selection.numbers));
  if (selection.subscripts.length > 0) {
    const part = node.parts[node.parts.length - 1]!;
    const outer = selection.dims.slice(selection.listed).map(whole);
    // Elements may have different sizes.
    const chosen = new Map<string, readonly Index[]>();
    for (const { dims } of parts) {
      if (chosen.has(dims.join())) continue;
      const own = dims.slice(outer.length);
      const indices = indicesOf(selection.subscripts, own, part, context, first.indexTypes);
      if (!indices) return builder.unknown;
      chosen.set(dims.join(), [...outer, ...indices]);
    }
    parts = parts.map((value) => indexed(builder, value, chosen.get(value.dims.join())!));
  }
  const ragged = unequal(parts);
  if (ragged) {
    const [a, b] = ragged.map(dimsName);
    const message = `The elements of \`${refName(node)}\` have different sizes: ${a} and ${b}.`;
    return report('dimension-mismatch', message, node, context, {
      hint: 'Name them one by one, or choose elements that all of them have.',
    });
  }
  const value = stacked(builder, parts, selection.dims.slice(0, selection.listed));
  return selection.dynamic ? indexed(builder, value, selection.dynamic) : value;
}

/** Sizes of two values, or of fields of the same name in them, that cannot be elements of one array. */
function unequal(
  values: readonly Value[],
): readonly [a: readonly number[], b: readonly number[]] | undefined {
  const [first] = values;
  for (const value of values) {
    if (value === first) continue;
    if (!sameItems(value.dims, first!.dims)) return [first!.dims, value.dims];
    if (value.kind !== 'record' || first!.kind !== 'record') continue;
    for (const [name, field] of value.fields) {
      const other = first!.fields.get(name);
      const found = other && unequal([other, field]);
      if (found) return found;
    }
  }
  return undefined;
}

/** An array without elements, of the type that they would have: of operator records with their operators, which sums of nothing need. */
function nothing(builder: FlatBuilder, { array, dims, subscripts }: Selection, declared: Instance): Value {
  const operators = array && operatorRecordOf(entityOf(array.class));
  if (operators) return { kind: 'record', path: array.class.path, operators, dims, fields: new Map() };
  const empty = builder.pool.apply('array');
  if (declared.kind !== 'variable') return simple(empty, 'Real', 'constant', dims);
  const inner = subscripts.length === 0 ? declared.dims : [];
  return simple(empty, variableType(declared), 'constant', [...dims, ...inner]);
}

function isRecordLike(instance: ObjectInstance): boolean {
  return (
    instance.restriction === 'record' ||
    instance.restriction === 'operator record' ||
    instance.restriction.endsWith('connector')
  );
}

/** A variable, or a record with its fields, as a value; of those elements of the uniform arrays around it that `numbers` select. */
export function instanceValue(
  builder: FlatBuilder,
  instance: Instance,
  numbers: readonly Index[] = numbersOf(builder, instance),
): Value {
  if (instance.kind === 'variable') return variableValue(builder, instance, numbers);
  if (builder.families.of(instance)) {
    return instanceValue(builder, instance.template!, [...numbers, ...instance.dims.map(whole)]);
  }
  if (instance.dims.length > 0) {
    if (numbers.some((index) => index.kind !== 'element')) builder.families.demandSingle(instance);
    const values = instance.elements.map((element) => instanceValue(builder, element, numbers));
    return stacked(builder, values, instance.dims);
  }
  const fields = new Map<string, Value>();
  for (const [name, member] of instance.members) fields.set(name, instanceValue(builder, member, numbers));
  const dims = keptSizes(numbers, outerDims(builder.families.around(instance)));
  const operators = operatorRecordOf(entityOf(instance.class));
  return { kind: 'record', path: instance.class.path, operators, dims, fields };
}

export function variableType(instance: VariableInstance): Simple['type'] {
  if (instance.type === 'enumeration') return instance.enumeration!;
  return instance.type;
}

function variableValue(builder: FlatBuilder, instance: VariableInstance, numbers: readonly Index[]): Simple {
  const symbol = builder.symbols.get(instance);
  const type = variableType(instance);
  const clocks = builder.clockArrays.get(instance);
  if (clocks) {
    const each = clocks.map((one) => variableValue(builder, one, noNumbers));
    const { expr } = stacked(builder, each, instance.dims) as Simple;
    return simple(expr, type, 'discrete', instance.dims);
  }
  if (symbol === undefined) return packageConstant(builder, instance);
  const variability = isDiscrete(builder, instance) ? 'discrete' : instance.variability;
  const value = simple(builder.pool.ref(symbol), type, variability, symbolDims(builder, instance));
  return numbers.length === 0 ? value : (indexed(builder, value, numbers) as Simple);
}

/** A constant of a package has no symbol: its value stands for it. What functions compute for it is computed once, not wherever it is used. */
function packageConstant(builder: FlatBuilder, instance: VariableInstance): Simple {
  const binding = bindingOf(builder, instance);
  if (!binding) return builder.unknown;
  if (instance.variability !== 'constant' || builder.folded.has(instance)) return binding;
  builder.folded.add(instance);
  if (!nodesOf(binding.expr).some(({ kind }) => kind === 'call')) return binding;
  const data = constantValue(builder, instance);
  if (!data || !sameItems(data.dims, binding.dims)) return binding;
  const { pool } = builder;
  const items = data.items.map((item) => {
    const expr = typeof item === 'string' ? pool.text(item) : pool.const(item);
    return simple(expr, binding.type, binding.variability);
  });
  const known = { ...binding, expr: (stacked(builder, items, data.dims) as Simple).expr };
  builder.bindings.set(instance, known);
  return known;
}

/** The sizes of the symbol of a variable: those of the uniform arrays around it and its own. */
export function symbolDims(builder: FlatBuilder, instance: VariableInstance): readonly number[] {
  const around = builder.families.around(instance);
  return around.length === 0 ? instance.dims : [...outerDims(around), ...instance.dims];
}

/** Discrete-time by declaration, by type, or because a when-clause assigns it. */
export function isDiscrete(builder: FlatBuilder, instance: VariableInstance): boolean {
  if (instance.variability !== 'continuous') return instance.variability === 'discrete';
  return instance.type !== 'Real' || builder.assigned.has(instance);
}

/** Values of elements, row-major, as one array value. */
export function stacked(builder: FlatBuilder, parts: readonly Value[], dims: readonly number[]): Value {
  if (dims.length === 0) return parts[0]!;
  const first = parts[0];
  if (first === undefined) return simple(builder.pool.apply('array'), 'Real', 'constant', dims);
  if (first.kind === 'record') {
    const fields = new Map<string, Value>();
    for (const name of first.fields.keys()) {
      const column = parts.map((p) => (p.kind === 'record' ? p.fields.get(name)! : p));
      fields.set(name, stacked(builder, column, dims));
    }
    return { ...first, dims: [...dims, ...first.dims], fields };
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
export function memberOf(value: Value, node: ast.ComponentRef, from: number, context: Context): Value {
  let current = value;
  for (let k = from; k < node.parts.length; k++) {
    if (isUnknown(current)) return current;
    const part = node.parts[k]!;
    const field: Value | undefined = current.kind === 'record' ? current.fields.get(part.name) : undefined;
    if (!field) {
      const message = `There is no \`${part.name}\` in \`${node.parts[k - 1]!.name}\`.`;
      return report('unknown-name', message, part, context);
    }
    current = subscripted(field, part, context);
  }
  return current;
}

/** A value with the subscripts of `part`. */
export function subscripted(value: Value, part: ast.RefPart, context: Context): Value {
  if (part.subscripts.length === 0 || isUnknown(value)) return value;
  const indices = indicesOf(part.subscripts, value.dims, part, context);
  return indices ? indexed(context.builder, value, indices) : context.builder.unknown;
}

/** The one component (or variable) that a reference names; undefined where it names none or several. */
export function componentOf(node: ast.ComponentRef, context: Context): Instance | undefined {
  const resolution = resolve(context.scope, node);
  if (resolution.kind !== 'component') return undefined;
  const selection = select(node, resolution, context);
  const item = selection?.items.length === 1 ? selection.items[0] : undefined;
  if (selection && selection.numbers.length > 0) {
    context.builder.families.demandSingle(item);
  }
  return item;
}
