/**
 * The operators on arrays, given their operands as elements (Modelica 3.7, section 10.3 and 10.6). Elements are
 * row-major. Sums run from the first element to the last, as a loop would. What elements are is open: expressions when arrays
 * are written out, values when they are evaluated. So there is one meaning for both.
 */
import { sameItems } from '../collections/lists.ts';
import type { Op, ScalarOp } from './expr.ts';
import { ofNothing } from './operators.ts';
import { rangeValues } from './ranges.ts';
import { type ArrayValue, dimsText, mismatch, sizeOf } from './shape.ts';

/** What elements are computed with. A `Pool` makes expressions. */
export interface Algebra<E> {
  const(value: number): E;
  apply(op: ScalarOp, ...args: E[]): E;
  /** The number that an element is, as sizes and bounds of ranges have to be; `what` it is needed for. */
  number(element: E, what: string): number;
}

/** The value of an array operator; undefined for scalar operators. */
export function arrayOperation<E>(
  algebra: Algebra<E>,
  op: Op,
  args: readonly ArrayValue<E>[],
): ArrayValue<E> | undefined {
  const [a, b, c] = args as [ArrayValue<E>, ArrayValue<E>, ArrayValue<E>];
  const integer = (value: ArrayValue<E>): number => algebra.number(value.items[0]!, 'A size');
  switch (op) {
    case 'array':
      return stacked(args);
    case 'range':
      return rangeOf(algebra, a, b, c);
    case 'size':
      return b ? scalar(algebra.const(a.dims[integer(b) - 1]!)) : vector(a.dims.map((n) => algebra.const(n)));
    case 'ndims':
      return scalar(algebra.const(a.dims.length));
    case 'matmul':
      return product(algebra, a, b);
    case 'transpose':
      return transposed(a);
    case 'sum':
      return scalar(reduce(algebra, 'add', a.items, ofNothing.sum));
    case 'product':
      return scalar(reduce(algebra, 'mul', a.items, ofNothing.product));
    case 'minOf':
      return scalar(reduce(algebra, 'min', a.items, ofNothing.min));
    case 'maxOf':
      return scalar(reduce(algebra, 'max', a.items, ofNothing.max));
    case 'fill':
      return filled(a, args.slice(1).map(integer));
    case 'identity':
      return generated([integer(a), integer(a)], (i, j) => (i === j ? algebra.const(1) : algebra.const(0)));
    case 'diagonal': {
      const n = a.items.length;
      return generated([n, n], (i, j) => (i === j ? a.items[i]! : algebra.const(0)));
    }
    case 'linspace':
      return linspace(algebra, a.items[0]!, b.items[0]!, integer(c));
    case 'cat':
      return joined(integer(a), args.slice(1));
    default:
      return vectorOperation(algebra, op, a, b);
  }
}

/** A scalar operator on arrays of equal size; scalars go with every element. */
export function elementwise<E>(
  op: Op,
  args: readonly ArrayValue<E>[],
  apply: (items: E[]) => E,
): ArrayValue<E> {
  let dims: readonly number[] = [];
  for (const arg of args) {
    if (arg.dims.length === 0) continue;
    if (dims.length === 0) dims = arg.dims;
    else if (!sameItems(dims, arg.dims))
      mismatch(`Sizes ${dimsText(dims)} and ${dimsText(arg.dims)} do not fit in ${op}.`);
  }
  if (dims.length === 0) return scalar(apply(args.map((arg) => arg.items[0]!)));
  const items: E[] = [];
  for (let k = 0; k < sizeOf(dims); k++) {
    items.push(apply(args.map((arg) => (arg.dims.length === 0 ? arg.items[0]! : arg.items[k]!))));
  }
  return { dims, items };
}

function vectorOperation<E>(
  algebra: Algebra<E>,
  op: Op,
  a: ArrayValue<E>,
  b: ArrayValue<E>,
): ArrayValue<E> | undefined {
  switch (op) {
    case 'cross':
      return cross(algebra, a, b);
    case 'skew': {
      if (a.items.length !== 3) mismatch('skew() needs a vector of three elements.');
      const [x, y, z] = a.items as [E, E, E];
      const zero = algebra.const(0);
      const neg = (item: E): E => algebra.apply('neg', item);
      return { dims: [3, 3], items: [zero, neg(z), y, z, zero, neg(x), neg(y), x, zero] };
    }
    case 'outerProduct':
      return generated([a.items.length, b.items.length], (i, j) =>
        algebra.apply('mul', a.items[i]!, b.items[j]!),
      );
    case 'symmetric': {
      if (a.dims.length !== 2 || a.dims[0] !== a.dims[1]) mismatch('symmetric() needs a square matrix.');
      const n = a.dims[1]!;
      return generated(a.dims, (i, j) => (i <= j ? a.items[i * n + j]! : a.items[j * n + i]!));
    }
    case 'scalar':
      if (a.items.length !== 1) mismatch(`scalar() needs one element, not ${a.items.length}.`);
      return scalar(a.items[0]!);
    case 'vector':
      return vector(a.items);
    case 'matrix':
      return { dims: [a.dims[0] ?? 1, a.dims[1] ?? 1], items: a.items };
    case 'promote': {
      const ones = Math.max(algebra.number(b.items[0]!, 'A size') - a.dims.length, 0);
      return { dims: [...a.dims, ...new Array<number>(ones).fill(1)], items: a.items };
    }
    default:
      return undefined;
  }
}

const scalar = <E>(item: E): ArrayValue<E> => ({ dims: [], items: [item] });
const vector = <E>(items: readonly E[]): ArrayValue<E> => ({ dims: [items.length], items });

function generated<E>(dims: readonly number[], at: (i: number, j: number) => E): ArrayValue<E> {
  const [rows, columns] = dims as [number, number];
  checkSize(dims);
  const items: E[] = [];
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) items.push(at(i, j));
  return { dims: [rows, columns], items };
}

function stacked<E>(args: readonly ArrayValue<E>[]): ArrayValue<E> {
  const shape = args.find((arg) => arg.dims.length > 0)?.dims ?? [];
  const items: E[] = [];
  for (const arg of args) {
    // A zero that simplification took from an array has lost its sizes; it stands for all elements.
    if (arg.dims.length === 0 && shape.length > 0) {
      for (let k = sizeOf(shape); k > 0; k--) items.push(arg.items[0]!);
    } else {
      if (!sameItems(arg.dims, shape)) mismatch('The elements of an array have different sizes.');
      for (const item of arg.items) items.push(item);
    }
  }
  return { dims: [args.length, ...shape], items };
}

function rangeOf<E>(
  algebra: Algebra<E>,
  first: ArrayValue<E>,
  step: ArrayValue<E>,
  last: ArrayValue<E>,
): ArrayValue<E> {
  const what = 'A range';
  const from = algebra.number(first.items[0]!, what);
  const by = algebra.number(step.items[0]!, what);
  const to = algebra.number(last.items[0]!, what);
  return vector(rangeValues(from, by, to).map((value) => algebra.const(value)));
}

function reduce<E>(
  algebra: Algebra<E>,
  op: 'add' | 'mul' | 'min' | 'max',
  items: readonly E[],
  empty: number,
): E {
  let result: E | undefined;
  for (const item of items) result = result === undefined ? item : algebra.apply(op, result, item);
  return result ?? algebra.const(empty);
}

/** Matrix product; vectors are rows on the left and columns on the right. A scalar scales. */
function product<E>(algebra: Algebra<E>, a: ArrayValue<E>, b: ArrayValue<E>): ArrayValue<E> {
  if (a.dims.length === 0)
    return { dims: b.dims, items: b.items.map((item) => algebra.apply('mul', a.items[0]!, item)) };
  if (b.dims.length === 0)
    return { dims: a.dims, items: a.items.map((item) => algebra.apply('mul', item, b.items[0]!)) };
  const inner = a.dims[a.dims.length - 1]!;
  if (inner !== b.dims[0]) mismatch(`A product of arrays with inner sizes ${inner} and ${b.dims[0]}.`);
  const rows = a.dims.length === 2 ? a.dims[0]! : 1;
  const columns = b.dims.length === 2 ? b.dims[1]! : 1;
  const items: E[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum: E = algebra.const(0);
      for (let k = 0; k < inner; k++) {
        const product = algebra.apply('mul', a.items[i * inner + k]!, b.items[k * columns + j]!);
        sum = algebra.apply('add', sum, product);
      }
      items.push(sum);
    }
  }
  const dims = [...(a.dims.length === 2 ? [rows] : []), ...(b.dims.length === 2 ? [columns] : [])];
  return { dims, items };
}

function transposed<E>(a: ArrayValue<E>): ArrayValue<E> {
  if (a.dims.length !== 2) mismatch('transpose() needs a matrix.');
  const [rows, columns] = a.dims as [number, number];
  return generated([columns, rows], (i, j) => a.items[j * columns + i]!);
}

/** More elements than these are surely a mistake, and no memory holds them. */
const mostElements = 2e7;

function checkSize(dims: readonly number[]): void {
  if (sizeOf(dims) > mostElements) mismatch(`An array of ${sizeOf(dims)} elements is too large.`);
}

function filled<E>(value: ArrayValue<E>, dims: readonly number[]): ArrayValue<E> {
  checkSize(dims);
  const items: E[] = [];
  for (let k = sizeOf(dims); k > 0; k--) for (const item of value.items) items.push(item);
  return { dims: [...dims, ...value.dims], items };
}

function linspace<E>(algebra: Algebra<E>, from: E, to: E, n: number): ArrayValue<E> {
  if (n < 2) mismatch('linspace() needs at least two points.');
  checkSize([n]);
  const items = Array.from({ length: n }, (_, k) =>
    algebra.apply(
      'add',
      from,
      algebra.apply('mul', algebra.const(k / (n - 1)), algebra.apply('sub', to, from)),
    ),
  );
  return vector(items);
}

/** Concatenation along dimension k (from 1). */
function joined<E>(k: number, parts: readonly ArrayValue<E>[]): ArrayValue<E> {
  const first = parts[0];
  if (!first) return { dims: [0], items: [] };
  const dims = first.dims.slice();
  dims[k - 1] = 0;
  for (const part of parts) {
    dims[k - 1]! += part.dims[k - 1] ?? mismatch(`cat() along dimension ${k} of an array that has none.`);
    const others = part.dims.every((n, d) => d === k - 1 || n === dims[d]);
    if (!others || part.dims.length !== dims.length) mismatch('cat() of arrays whose sizes do not fit.');
  }
  const outer = sizeOf(dims.slice(0, k - 1));
  const items: E[] = [];
  for (let o = 0; o < outer; o++) {
    for (const part of parts) {
      const chunk = part.items.length / outer;
      for (let i = 0; i < chunk; i++) items.push(part.items[o * chunk + i]!);
    }
  }
  return { dims, items };
}

function cross<E>(algebra: Algebra<E>, a: ArrayValue<E>, b: ArrayValue<E>): ArrayValue<E> {
  if (a.items.length !== 3 || b.items.length !== 3) mismatch('cross() needs vectors of three elements.');
  const component = (i: number, j: number): E =>
    algebra.apply(
      'sub',
      algebra.apply('mul', a.items[i]!, b.items[j]!),
      algebra.apply('mul', a.items[j]!, b.items[i]!),
    );
  return vector([component(1, 2), component(2, 0), component(0, 1)]);
}
