/**
 * The ends of a connect: what its two sides name, looked up and numbered. An end has components, each with the row-major numbers of its
 * elements in the symbols of uniform arrays, for all values of the iterators around the connect, so that one connect in a loop is taken
 * up once: `connect(a[i], b[i + 1])` with `i in 1:3` has the numbers 0, 1, 2 on its left and 1, 2, 3 on its right.
 */

import type { Instance, ObjectInstance, VariableInstance } from '../../model/instance.ts';
import { connectorHint, isConnector } from '../../model/types/connectors.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, type Loop, refuse, report } from '../core/context.ts';
import { outerDims, partsOf } from '../core/families.ts';
import { count } from '../core/values.ts';
import { fixedValue, numberAt, numbers } from '../expressions/constants.ts';
import { refName, type Selection, select, symbolDims, unresolved } from '../expressions/references.ts';
import { type Index, indicesOf, keptSizes } from '../expressions/subscripts.ts';
import { resolveElement } from './elements.ts';
import type { ConnectedSide } from './sets.ts';

/** One side of a connect after looking it up: connectors, or elements of an array of causal connectors. */
export interface End {
  readonly node: ast.ComponentRef;
  readonly selection: Selection;
  readonly outside: boolean;
  /** Subscripts of the variable that it names, if it has any. */
  readonly own: readonly Index[] | undefined;
  readonly dims: readonly number[];
  readonly name: string;
}

/** An iterator around a connect, with its values. */
export type Around = Pick<Loop, 'iterator' | 'values'>;

/** Elements on one side of a connect: those of all values of the iterators around it, then all that are selected in uniform arrays. */
type Side = Omit<ConnectedSide, 'variable'>;

/** A component on one side of a connect, with the numbers of its elements in uniform arrays. */
export interface Spot extends Side {
  readonly item: Instance;
}

/** What one side of a connect names. */
export interface Places extends Side {
  readonly items: readonly Instance[];
  /** How many elements are selected of each item. */
  readonly selected: number;
}

/** Looks up a side of a connect; undefined where it is absent or wrong, which is reported. */
export function endOf(node: ast.ComponentRef, context: Context): End | undefined {
  const resolution = resolveElement(node, context);
  if (!resolution || resolution.kind === 'absent') return undefined;
  if (resolution.kind !== 'component') {
    unresolved(node, resolution, context);
    return undefined;
  }
  const selection = select(node, resolution, context);
  if (!selection) return undefined;
  const name = refName(node);
  const first = selection.items[0];
  if (selection.dynamic) return notFixed(node, context);
  if (first && !isConnector(first))
    return refuse('not-a-connector', `\`${name}\` is not a connector.`, node, context, {
      hint:
        first.kind === 'object'
          ? connectorHint(name, partsIn(first))
          : 'Write an equation instead of connect.',
    });
  const outside = isConnector(resolution.parts[0]!.instance);
  const plain = { node, selection, outside, own: undefined, dims: selection.dims, name };
  return first?.kind === 'variable' ? variableEnd(plain, first, context) : plain;
}

/** A side that names variables: causal connectors such as `u[2]`. */
function variableEnd(end: End, first: VariableInstance, context: Context): End | undefined {
  const { selection, node } = end;
  const dims = [...selection.dims, ...first.dims];
  if (selection.subscripts.length === 0) return { ...end, dims };
  const part = node.parts[node.parts.length - 1]!;
  const { dims: sizes, indexTypes } = first;
  const own = indicesOf(selection.subscripts, sizes, part, context, indexTypes);
  if (!own) return undefined;
  if (selection.items.length !== 1) {
    const message = `\`${end.name}\` chooses elements in several components.`;
    return refuse('unsupported', message, node, context);
  }
  return { ...end, own, dims: [...selection.dims, ...keptSizes(own, first.dims)] };
}

function notFixed(node: ast.ComponentRef, context: Context): undefined {
  const message = `The subscripts of \`${refName(node)}\` must be fixed in a connect.`;
  report('variability', message, node, context);
}

/** Iterators around a connect, outermost first: numbers of elements of uniform arrays, then those of for-equations. */
export function iteratorsAround({ builder, scope, loop }: Context): Around[] {
  const loops: Around[] = [];
  for (let at = loop; at; at = at.outer) loops.unshift({ iterator: at.iterator, values: at.values });
  const elements = builder.families.around(scope.instance).flatMap(({ array, iterators }) =>
    iterators.map((iterator, d) => ({
      iterator,
      values: Array.from({ length: array.dims[d]! }, (_, k) => k + 1),
    })),
  );
  return [...elements, ...loops];
}

/** The numbers of the elements that an end names. */
export function placesOf(
  end: End,
  around: readonly Around[],
  byElement: boolean,
  context: Context,
): Places | undefined {
  const { selection, outside } = end;
  const { items, dims, listed } = selection;
  const first = items[0];
  if (!first) return { items, numbers: [], selected: 0, outside, named: false };
  const named = byElement && first.kind === 'variable' && first.dims.length > 0;
  const own = named ? first.dims.map((_, d): Index => end.own?.[d] ?? { kind: 'all' }) : [];
  const arrays = context.builder.families
    .around(first)
    .flatMap(({ array }) => array.dims.map(() => array.name));
  const indices = [...selection.numbers, ...own];
  const names = [...arrays, ...own.map(() => first.name)];
  const sizes =
    first.kind === 'variable' && named
      ? symbolDims(context.builder, first)
      : outerDims(context.builder.families.around(first));
  const numbers = numbersOf({ indices, names, sizes, around }, end.node, context);
  if (!numbers) return undefined;
  const selected = count(named ? end.dims.slice(listed) : dims.slice(listed));
  return { items, numbers, selected, outside, named };
}

/** Subscripts of a symbol, with the sizes of its dimensions and what they are dimensions of. */
interface Subscripted {
  readonly indices: readonly Index[];
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  readonly around: readonly Around[];
}

/** Row-major numbers of all elements that subscripts select: for all values of the iterators, then for all that they select. */
function numbersOf(
  { indices, names, sizes, around }: Subscripted,
  node: ast.ComponentRef,
  context: Context,
): ArrayLike<number> | undefined {
  const rounds = around.reduce((n, { values }) => n * values.length, 1);
  let result: ArrayLike<number> = new Int32Array(rounds);
  for (const [d, index] of indices.entries()) {
    const size = sizes[d]!;
    const chosen = chosenBy(context.builder, index, size, around, rounds);
    if (!chosen) return notFixed(node, context);
    const outside = chosen.find((at) => !(at >= 1 && at <= size));
    if (outside !== undefined) {
      const message = `Subscript ${outside} of \`${names[d]}\` is outside: the dimension goes from 1 to ${size}.`;
      return refuse('bad-subscript', message, node, context);
    }
    result = index.kind === 'element' ? scaled(result, size, chosen, rounds) : crossed(result, size, chosen);
  }
  return result;
}

/** The values of a subscript: by values of the iterators, or all that it selects. */
function chosenBy(
  builder: FlatBuilder,
  index: Index,
  size: number,
  around: readonly Around[],
  rounds: number,
): Int32Array | undefined {
  if (index.kind === 'all') return Int32Array.from({ length: size }, (_, k) => k + 1);
  if (index.kind === 'slice') {
    const value = fixedValue(builder, index.expr);
    return value === undefined ? undefined : Int32Array.from(numbers(value));
  }
  return valuesOver(builder, index.expr, around, rounds);
}

/** Pairs the components of two sides; where they are listed differently, one by one. */
export function* matchedSpots(left: Places, right: Places): Generator<readonly [Spot, Spot]> {
  const spot = ({ items, numbers: own, outside, named }: Places, m: number): Spot => ({
    item: items[m]!,
    numbers: own,
    outside,
    named,
  });
  if (left.selected === right.selected) {
    for (const m of left.items.keys()) yield [spot(left, m), spot(right, m)];
    return;
  }
  const single = (places: Places, d: number): Spot => {
    const { numbers: own, selected } = places;
    const k = d % selected;
    const rounds = own.length / selected;
    const strided = Int32Array.from({ length: rounds }, (_, round) => own[round * selected + k]!);
    return { ...spot(places, Math.floor(d / selected)), numbers: strided };
  };
  for (let d = 0; d < left.items.length * left.selected; d++) yield [single(left, d), single(right, d)];
}

/** `result * size + chosen - 1`, where a subscript has one value for each value of the iterators. */
function scaled(
  result: ArrayLike<number>,
  size: number,
  chosen: ArrayLike<number>,
  rounds: number,
): ArrayLike<number> {
  const each = result.length / rounds;
  const all = new Int32Array(result.length);
  for (let k = 0; k < all.length; k++)
    all[k] = result[k]! * size + chosen[each === 1 ? k : Math.floor(k / each)]! - 1;
  return all;
}

/** The same where a subscript selects several elements, for each value of the iterators. */
export function crossed(result: ArrayLike<number>, size: number, chosen: ArrayLike<number>): Int32Array {
  const each = chosen.length;
  const all = new Int32Array(result.length * each);
  for (let k = 0; k < result.length; k++)
    for (let e = 0; e < each; e++) all[k * each + e] = result[k]! * size + chosen[e]! - 1;
  return all;
}

/** The values of an expression of iterators, the last iterator fastest; undefined where it has none. */
function valuesOver(
  builder: FlatBuilder,
  expr: Expr,
  around: readonly Around[],
  rounds: number,
): Int32Array | undefined {
  const result = new Int32Array(rounds);
  if (expr.kind === 'const') return result.fill(expr.value);
  const affine = affineIn(expr, around);
  const current = around.map(({ values }) => values[0]!);
  const position = around.map(() => 0);
  for (let k = 0; k < rounds; k++) {
    const value = affine
      ? affine.reduce((sum, factor, l) => sum + factor * (current[l] ?? 1), 0)
      : numberAt(builder, expr, (iterator) => current[around.findIndex((a) => a.iterator === iterator)]);
    if (value === undefined) return undefined;
    result[k] = value;
    for (let l = around.length - 1; l >= 0; l--) {
      const { values } = around[l]!;
      position[l] = (position[l]! + 1) % values.length;
      current[l] = values[position[l]!]!;
      if (position[l] !== 0) break;
    }
  }
  return result;
}

/** Factors of the iterators, and a constant last, of an expression that is affine in them. */
function affineIn(expr: Expr, around: readonly Around[]): number[] | undefined {
  const constant = around.length;
  if (expr.kind === 'const' || expr.kind === 'iter') {
    const result = new Array<number>(constant + 1).fill(0);
    if (expr.kind === 'const') result[constant] = expr.value;
    else {
      const l = around.findIndex(({ iterator }) => iterator === expr.iterator);
      if (l < 0) return undefined;
      result[l] = 1;
    }
    return result;
  }
  if (expr.kind !== 'apply') return undefined;
  const [a, b] = expr.args.map((arg) => affineIn(arg, around));
  const combined = (own: (x: number, y: number) => number): number[] | undefined =>
    a && b && a.map((x, k) => own(x, b[k]!));
  switch (expr.op) {
    case 'add':
      return combined((x, y) => x + y);
    case 'sub':
      return combined((x, y) => x - y);
    case 'neg':
      return a?.map((x) => -x);
    case 'mul': {
      const isConstant = (f: number[] | undefined) => f?.slice(0, constant).every((x) => x === 0);
      if (a && b && isConstant(a)) return b.map((x) => x * a[constant]!);
      return a && b && isConstant(b) ? a.map((x) => x * b[constant]!) : undefined;
    }
    default:
      return undefined;
  }
}

/** Those of one element of an array. */
function partsIn(instance: ObjectInstance): Iterable<Instance> {
  const single = instance.dims.length > 0 ? partsOf(instance)[0] : instance;
  return (single?.kind === 'object' ? single : instance).members.values();
}
