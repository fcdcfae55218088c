/**
 * Arrays written out as scalars. `scalarise` gives the elements of an expression in row-major order; each element is an
 * expression over scalars alone and is simplified as it is built. What sizes mean follows Modelica 3.7, chapter 10.
 *
 * User functions keep their arrays: an array argument is handed over as its elements in row-major order, so the
 * arguments of a scalarised `Call` are the elements of all inputs one after the other. Before scalarising, `Call.output`
 * counts outputs; after it, it counts the scalars of all outputs, row-major, from 0.
 *
 * A subscript that is no constant selects by a binary tree of conditional expressions, or stays a subscript where the
 * array is a local of a function. Outside its bounds the value is NaN, which the simulator reports.
 */
import { Failure } from '../diagnostic/failure.ts';
import { children, fold } from './analyse.ts';
import type { Apply, Call, Expr, Local, Pre, Ref } from './expr.ts';
import type { FunctionDef } from './function.ts';
import { acts } from './influence.ts';
import { arrayOperation, elementwise } from './operations.ts';
import { iterating } from './operators.ts';
import type { Pool } from './pool.ts';
import { rangeCount } from './ranges.ts';
import {
  type ArrayValue,
  checkRange,
  constant,
  dimsText,
  eachElement,
  flatIndex,
  keptDims,
  mismatch,
  outputOffset,
  type Picks,
  sizeOf,
} from './shape.ts';

export interface ScalariseContext {
  readonly functions: readonly FunctionDef[];
  readonly dimsOfSymbol: (symbol: number) => readonly number[];
  /** The scalar symbol of element `index` (row-major, from 0) of a symbol. */
  readonly symbolElement: (symbol: number, index: number) => number;
  /** Elements of symbols with a value that is known already, so that subscripts and ranges can use it. */
  readonly valueOfElement?: (symbol: number, index: number) => number | undefined;
  /** Values of iterators; an iterator without value stays as it is. */
  readonly iterators: ReadonlyMap<number, number>;
  /** Inside a function: sizes of its locals. */
  readonly dimsOfLocal?: (index: number) => readonly number[];
}

/** Most elements among which a subscript can choose while the model runs. */
const largestChoice = 10_000;

/** The elements of an expression, row-major; one for a scalar. */
export function scalarise(pool: Pool, context: ScalariseContext, expr: Expr): Expr[] {
  return arrayValue(pool, context, expr).items.slice();
}

/** The sizes of an expression; empty for a scalar. */
export function shapeOf(pool: Pool, context: ScalariseContext, expr: Expr): readonly number[] {
  return arrayValue(pool, context, expr).dims;
}

/** One element, by subscripts from 1. */
export function element(pool: Pool, context: ScalariseContext, expr: Expr, index: readonly number[]): Expr {
  const value = arrayValue(pool, context, expr);
  return value.items[flatIndex(value.dims, index)]!;
}

export function arrayValue(pool: Pool, context: ScalariseContext, root: Expr): ArrayValue {
  if (root.kind !== 'apply' && root.kind !== 'call') return leafValue(pool, context, root);
  const values = new Map<Expr, ArrayValue>();
  const below = (node: Expr): readonly Expr[] => operands(node, values);
  return fold(root, values, (node) => nodeValue(pool, context, node, values), below);
}

const none: readonly Expr[] = [];

/** What has to be written out before a node; of a conditional expression its condition first, then the branches that are possible. */
function operands(node: Expr, values: ReadonlyMap<Expr, ArrayValue>): readonly Expr[] {
  if (isIterated(node) || hasColons(node)) return none;
  if (!isConditional(node)) return children(node);
  const first = node.args.slice(0, 1);
  return values.has(first[0]!) ? [...first, ...possible(node, values)] : first;
}

/** `if`, `and` and `or` may guard what follows their first operand (Modelica 3.7, section 3.8): a subscript, for instance. */
const isConditional = (node: Expr): node is Apply =>
  node.kind === 'apply' && (node.op === 'if' || node.op === 'and' || node.op === 'or');

/** The operands of a conditional expression that its first one leaves possible. */
function possible({ op, args }: Apply, values: ReadonlyMap<Expr, ArrayValue>): readonly Expr[] {
  const { dims, items } = values.get(args[0]!)!;
  const test = items[0];
  if (dims.length > 0 || test?.kind !== 'const') return args.slice(1);
  if (op === 'if') return [args[test.value !== 0 ? 1 : 2]!];
  return (test.value !== 0) === (op === 'or') ? none : args.slice(1);
}

/** Nodes with iterators of their own: their bodies are written out once for each value. */
export const isIterated = (node: Expr): boolean => node.kind === 'apply' && iterating.has(node.op);

/** Nodes whose subscripts may hold colons, which have no value by themselves. */
function hasColons(node: Expr): boolean {
  return node.kind === 'ref' || node.kind === 'pre' || node.kind === 'local';
}

function nodeValue(
  pool: Pool,
  context: ScalariseContext,
  node: Expr,
  values: Map<Expr, ArrayValue>,
): ArrayValue {
  switch (node.kind) {
    case 'call':
      return callValue(pool, context, node, values);
    case 'apply':
      return applyValue(pool, context, node, values);
    default:
      return leafValue(pool, context, node);
  }
}

/** Of a node that says itself what is below it: most of those that are written out are of this kind. */
function leafValue(pool: Pool, context: ScalariseContext, node: Exclude<Expr, Apply | Call>): ArrayValue {
  switch (node.kind) {
    case 'const':
    case 'text':
    case 'time':
    case 'held':
      return scalar(node);
    case 'iter': {
      const value = context.iterators.get(node.iterator);
      return scalar(value === undefined ? node : pool.const(value));
    }
    case 'ref':
    case 'pre':
    case 'local':
      return variable(pool, context, node);
  }
}

const scalar = (item: Expr): ArrayValue => ({ dims: noDims, items: [item] });

const noDims: readonly number[] = [];

function applyValue(
  pool: Pool,
  context: ScalariseContext,
  node: Apply,
  values: Map<Expr, ArrayValue>,
): ArrayValue {
  if (isIterated(node)) return iterated(pool, context, node);
  if (node.op === 'colon') return scalar(node);
  if (node.op === 'subscript') {
    const whole = values.get(node.args[0]!)!;
    const selection = selectionOf(pool, context, whole.dims, node.args.slice(1));
    return chosen(pool, whole.dims, selection, (flat) => whole.items[flat]!);
  }
  if (isConditional(node)) {
    const left = possible(node, values);
    // Where the first operand decides, the value is that of one operand.
    if (left.length < node.args.length - 1) return values.get(left[0] ?? node.args[0]!)!;
  }
  const args = node.args.map((arg) => values.get(arg)!);
  return (
    arrayOperation(pool, node.op, args) ??
    elementwise(node.op, args, (items) => pool.apply(node.op, ...items))
  );
}

/** `value, (iterator, range)…`; with several iterators the last is the outermost dimension. */
function iterated(pool: Pool, context: ScalariseContext, node: Apply): ArrayValue {
  const [body, ...rest] = node.args as [Expr, ...Expr[]];
  const pairs = rest.length / 2;
  const parts: ArrayValue[] = [];
  const counts: number[] = [];
  const iterators = new Map(context.iterators);
  const inner: ScalariseContext = { ...context, iterators };
  const visit = (pair: number): void => {
    if (pair < 0) {
      parts.push(arrayValue(pool, inner, body));
      return;
    }
    const iterator = rest[2 * pair]!;
    if (iterator.kind !== 'iter') throw new Error('a comprehension without iterator');
    const over = rest[2 * pair + 1]!;
    if (node.op !== 'comprehension' && parts.length + countOf(over) > mostTerms) throw tooManyTerms();
    const range = arrayValue(pool, inner, over).items;
    counts[pairs - 1 - pair] = range.length;
    for (const value of range) {
      iterators.set(iterator.iterator, constant(value, 'The range of an iterator'));
      visit(pair - 1);
    }
    iterators.delete(iterator.iterator);
  };
  visit(pairs - 1);
  if (node.op !== 'comprehension') return scalar(reduced(pool, node, parts));
  const dims = [...Array.from({ length: pairs }, (_, k) => counts[k] ?? 0), ...(parts[0]?.dims ?? [])];
  return { dims, items: parts.flatMap((part) => part.items) };
}

/** How many values a range has, as far as its bounds are numbers. */
function countOf(range: Expr): number {
  if (range.kind !== 'apply' || range.op !== 'range') return 0;
  const [first, step, last] = range.args.map((arg) => (arg.kind === 'const' ? arg.value : Number.NaN));
  return rangeCount(first!, step!, last!) || 0;
}

/** Most terms of a sum, product, minimum or maximum that is written out. */
const mostTerms = 200_000;

const tooManyTerms = (): Failure =>
  Failure.of(
    'translate',
    'limit-exceeded',
    `A sum, product, minimum or maximum has more than ${mostTerms} terms.`,
    {
      hint: 'Its terms are written out one by one. Compute it in a loop of a function.',
    },
  );

/** What reduces an array as the reductions with iterators do. */
export const wholeOf = {
  sumOver: 'sum',
  productOver: 'product',
  minOver: 'minOf',
  maxOver: 'maxOf',
} as const;

function reduced(pool: Pool, node: Apply, parts: readonly ArrayValue[]): Expr {
  const items = parts.flatMap((part) => part.items);
  const name = wholeOf[node.op as keyof typeof wholeOf];
  return arrayOperation(pool, name, [{ dims: [items.length], items }])!.items[0]!;
}

function callValue(
  pool: Pool,
  context: ScalariseContext,
  node: Call,
  values: Map<Expr, ArrayValue>,
): ArrayValue {
  const fn = context.functions[node.fn];
  if (!fn) throw new Error(`there is no function number ${node.fn}`);
  const args = node.args.flatMap((arg, k) => {
    const elements = fitted(values.get(arg)!, fn.locals[k]?.dims ?? [], fn);
    // An equation depends on no more than what acts on the output. The body of a function may call one that is not finished yet.
    return context.dimsOfLocal || acts(context.functions, fn, k, node.output)
      ? elements
      : elements.map(() => pool.zero);
  });
  const { dims } = fn.locals[fn.inputs + node.output]!;
  const first = outputOffset(fn, node.output);
  return { dims, items: Array.from({ length: sizeOf(dims) }, (_, k) => pool.call(node.fn, args, first + k)) };
}

/** The elements of all arguments of a call in a row. */
export function argumentElements(
  pool: Pool,
  context: ScalariseContext,
  fn: FunctionDef,
  args: readonly Expr[],
): Expr[] {
  return args.flatMap((arg, k) => fitted(arrayValue(pool, context, arg), fn.locals[k]?.dims ?? [], fn));
}

/** The elements of an argument for an input of the given sizes. */
export function fitted(value: ArrayValue, dims: readonly number[], fn: FunctionDef): readonly Expr[] {
  const size = sizeOf(dims);
  if (value.items.length === size) return value.items;
  if (value.dims.length === 0) return new Array<Expr>(size).fill(value.items[0]!);
  return mismatch(
    `An argument of ${fn.name} has the sizes ${dimsText(value.dims)} instead of ${dimsText(dims)}.`,
  );
}

// ------------------------------------------------------------------ variables and subscripts

function variable(pool: Pool, context: ScalariseContext, node: Ref | Pre | Local): ArrayValue {
  if (node.kind === 'local') return localValue(pool, context, node);
  const dims = context.dimsOfSymbol(node.symbol);
  const at = (flat: number): Expr => {
    const known =
      node.kind === 'ref' && node.order === 0 ? context.valueOfElement?.(node.symbol, flat) : undefined;
    if (known !== undefined) return pool.const(known);
    const symbol = context.symbolElement(node.symbol, flat);
    return node.kind === 'ref' ? pool.ref(symbol, node.order) : pool.pre(symbol);
  };
  if (dims.length === 0) return scalar(at(0));
  const place = placeOf(pool, context, dims, node.subscripts);
  if (place !== undefined) return scalar(at(place));
  return chosen(pool, dims, selectionOf(pool, context, dims, node.subscripts), at);
}

/** Where the element lies whose subscripts are numbers; undefined where one of them is something else. */
function placeOf(
  pool: Pool,
  context: ScalariseContext,
  dims: readonly number[],
  subscripts: readonly Expr[],
): number | undefined {
  if (subscripts.length !== dims.length) return undefined;
  let place = 0;
  for (let k = 0; k < dims.length; k++) {
    const subscript = subscripts[k]!;
    if (subscript.kind === 'apply' && subscript.op === 'colon') return undefined;
    const { dims: own, items } = arrayValue(pool, context, subscript);
    const item = items[0];
    if (own.length > 0 || item?.kind !== 'const') return undefined;
    checkRange(item.value, dims[k]!);
    place = place * dims[k]! + item.value - 1;
  }
  return place;
}

/** Elements of a local keep their subscripts: the function has its arrays at run time. */
function localValue(pool: Pool, context: ScalariseContext, node: Local): ArrayValue {
  const dims = context.dimsOfLocal?.(node.index) ?? [];
  if (dims.length === 0) return scalar(pool.local(node.index));
  const selection = selectionOf(pool, context, dims, node.subscripts);
  const items: Expr[] = [];
  eachElement(selection, (subscripts) => {
    subscripts.forEach((s, k) => {
      if (s.kind === 'const') checkRange(s.value, dims[k]!);
    });
    items.push(pool.local(node.index, subscripts));
  });
  return { dims: keptDims(selection), items };
}

function selectionOf(
  pool: Pool,
  context: ScalariseContext,
  dims: readonly number[],
  subscripts: readonly Expr[],
): Picks<Expr>[] {
  if (subscripts.length > dims.length) {
    const message = `${subscripts.length} subscripts on an array of ${dims.length} dimensions.`;
    throw Failure.of('translate', 'bad-subscript', message);
  }
  return dims.map((n, k) => {
    const subscript = subscripts[k];
    if (!subscript || (subscript.kind === 'apply' && subscript.op === 'colon')) {
      return { items: Array.from({ length: n }, (_, i) => pool.const(i + 1)), scalar: false };
    }
    const value = arrayValue(pool, context, subscript);
    return { items: value.items, scalar: value.dims.length === 0 };
  });
}

function chosen(
  pool: Pool,
  dims: readonly number[],
  selection: readonly Picks<Expr>[],
  at: (flat: number) => Expr,
): ArrayValue {
  const items: Expr[] = [];
  eachElement(selection, (subscripts) => items.push(pick(pool, dims, subscripts, 0, 0, at)));
  return { dims: keptDims(selection), items };
}

/** The element at `subscripts`, of which those before number k are drawn into `flat` already. */
function pick(
  pool: Pool,
  dims: readonly number[],
  subscripts: readonly Expr[],
  k: number,
  flat: number,
  at: (flat: number) => Expr,
): Expr {
  if (k === dims.length) return at(flat);
  const n = dims[k]!;
  const subscript = subscripts[k]!;
  const inner = (i: number): Expr => pick(pool, dims, subscripts, k + 1, flat * n + i - 1, at);
  if (subscript.kind === 'const') {
    checkRange(subscript.value, n);
    return inner(subscript.value);
  }
  if (sizeOf(dims) > largestChoice) {
    const message = `A subscript that changes while the model runs chooses among ${sizeOf(dims)} elements; at most ${largestChoice} are possible.`;
    throw Failure.of('translate', 'limit-exceeded', message);
  }
  const tree = (low: number, high: number): Expr => {
    if (low === high) return inner(low);
    const middle = (low + high) >> 1;
    return pool.if(below(pool, subscript, middle), tree(low, middle), tree(middle + 1, high));
  };
  const nan = pool.const(Number.NaN);
  const inside = pool.if(below(pool, subscript, n), tree(1, n), nan);
  return pool.if(below(pool, subscript, 0), nan, inside);
}

/** subscript <= k, with the boundary between the integers so that a change is a clear crossing. */
function below(pool: Pool, subscript: Expr, k: number): Expr {
  return pool.apply('lt', subscript, pool.const(k + 0.5));
}
