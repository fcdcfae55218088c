/**
 * The operators on arrays, given their operands as elements (Modelica 3.7, section 10.3 and 10.6). Elements are
 * row-major. Sums run from the first element to the last, as a loop would.
 */
import type { Expr, Op } from './expr.ts';
import { ofNothing } from './operators.ts';
import type { Pool } from './pool.ts';
import { rangeValues } from './ranges.ts';
import { type ArrayValue, constant, mismatch, sameDims, sizeOf } from './shape.ts';

/** The value of an array operator; undefined for scalar operators. */
export function arrayOperation(pool: Pool, op: Op, args: readonly ArrayValue[]): ArrayValue | undefined {
  const [a, b, c] = args as [ArrayValue, ArrayValue, ArrayValue];
  switch (op) {
    case 'array':
      return stacked(args);
    case 'range':
      return rangeOf(pool, a, b, c);
    case 'size':
      return b ? scalar(pool.const(a.dims[integer(b) - 1]!)) : vector(a.dims.map((n) => pool.const(n)));
    case 'ndims':
      return scalar(pool.const(a.dims.length));
    case 'matmul':
      return product(pool, a, b);
    case 'transpose':
      return transposed(a);
    case 'sum':
      return scalar(reduce(pool, 'add', a.items, ofNothing.sum));
    case 'product':
      return scalar(reduce(pool, 'mul', a.items, ofNothing.product));
    case 'minOf':
      return scalar(reduce(pool, 'min', a.items, ofNothing.min));
    case 'maxOf':
      return scalar(reduce(pool, 'max', a.items, ofNothing.max));
    case 'fill':
      return filled(a, args.slice(1).map(integer));
    case 'identity':
      return generated([integer(a), integer(a)], (i, j) => (i === j ? pool.one : pool.zero));
    case 'diagonal': {
      const n = a.items.length;
      return generated([n, n], (i, j) => (i === j ? a.items[i]! : pool.zero));
    }
    case 'linspace':
      return linspace(pool, a.items[0]!, b.items[0]!, integer(c));
    case 'cat':
      return joined(integer(a), args.slice(1));
    default:
      return vectorOperation(pool, op, a, b);
  }
}

function vectorOperation(pool: Pool, op: Op, a: ArrayValue, b: ArrayValue): ArrayValue | undefined {
  switch (op) {
    case 'cross':
      return cross(pool, a, b);
    case 'skew': {
      const [x, y, z] = a.items as [Expr, Expr, Expr];
      const rows = [pool.zero, pool.neg(z), y, z, pool.zero, pool.neg(x), pool.neg(y), x, pool.zero];
      return { dims: [3, 3], items: rows };
    }
    case 'outerProduct':
      return generated([a.items.length, b.items.length], (i, j) => pool.mul(a.items[i]!, b.items[j]!));
    case 'symmetric': {
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
      const ones = Math.max(integer(b) - a.dims.length, 0);
      return { dims: [...a.dims, ...new Array<number>(ones).fill(1)], items: a.items };
    }
    default:
      return undefined;
  }
}

const scalar = (item: Expr): ArrayValue => ({ dims: [], items: [item] });
const vector = (items: readonly Expr[]): ArrayValue => ({ dims: [items.length], items });
const integer = (value: ArrayValue): number => constant(value.items[0]!, 'A size');

function generated(dims: readonly number[], at: (i: number, j: number) => Expr): ArrayValue {
  const [rows, columns] = dims as [number, number];
  const items: Expr[] = [];
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) items.push(at(i, j));
  return { dims: [rows, columns], items };
}

function stacked(args: readonly ArrayValue[]): ArrayValue {
  const shape = args.find((arg) => arg.dims.length > 0)?.dims ?? [];
  const items: Expr[] = [];
  for (const arg of args) {
    // A zero that simplification took from an array has lost its sizes; it stands for all elements.
    if (arg.dims.length === 0 && shape.length > 0) {
      for (let k = sizeOf(shape); k > 0; k--) items.push(arg.items[0]!);
    } else {
      if (!sameDims(arg.dims, shape)) mismatch('The elements of an array have different sizes.');
      for (const item of arg.items) items.push(item);
    }
  }
  return { dims: [args.length, ...shape], items };
}

function rangeOf(pool: Pool, first: ArrayValue, step: ArrayValue, last: ArrayValue): ArrayValue {
  const what = 'A range';
  const from = constant(first.items[0]!, what);
  const by = constant(step.items[0]!, what);
  const to = constant(last.items[0]!, what);
  return vector(rangeValues(from, by, to).map((value) => pool.const(value)));
}

function reduce(pool: Pool, op: 'add' | 'mul' | 'min' | 'max', items: readonly Expr[], empty: number): Expr {
  let result: Expr | undefined;
  for (const item of items) result = result ? pool.apply(op, result, item) : item;
  return result ?? pool.const(empty);
}

/** Matrix product; vectors are rows on the left and columns on the right. A scalar scales. */
function product(pool: Pool, a: ArrayValue, b: ArrayValue): ArrayValue {
  if (a.dims.length === 0) return { dims: b.dims, items: b.items.map((item) => pool.mul(a.items[0]!, item)) };
  if (b.dims.length === 0) return { dims: a.dims, items: a.items.map((item) => pool.mul(item, b.items[0]!)) };
  const inner = a.dims[a.dims.length - 1]!;
  if (inner !== b.dims[0]) mismatch(`A product of arrays with inner sizes ${inner} and ${b.dims[0]}.`);
  const rows = a.dims.length === 2 ? a.dims[0]! : 1;
  const columns = b.dims.length === 2 ? b.dims[1]! : 1;
  const items: Expr[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum: Expr = pool.zero;
      for (let k = 0; k < inner; k++) {
        sum = pool.add(sum, pool.mul(a.items[i * inner + k]!, b.items[k * columns + j]!));
      }
      items.push(sum);
    }
  }
  const dims = [...(a.dims.length === 2 ? [rows] : []), ...(b.dims.length === 2 ? [columns] : [])];
  return { dims, items };
}

function transposed(a: ArrayValue): ArrayValue {
  if (a.dims.length !== 2) mismatch('transpose() needs a matrix.');
  const [rows, columns] = a.dims as [number, number];
  return generated([columns, rows], (i, j) => a.items[j * columns + i]!);
}

function filled(value: ArrayValue, dims: readonly number[]): ArrayValue {
  const items: Expr[] = [];
  for (let k = sizeOf(dims); k > 0; k--) for (const item of value.items) items.push(item);
  return { dims: [...dims, ...value.dims], items };
}

function linspace(pool: Pool, from: Expr, to: Expr, n: number): ArrayValue {
  if (n < 2) mismatch('linspace() needs at least two points.');
  const items = Array.from({ length: n }, (_, k) =>
    pool.add(from, pool.mul(pool.const(k / (n - 1)), pool.sub(to, from))),
  );
  return vector(items);
}

/** Concatenation along dimension k (from 1). */
function joined(k: number, parts: readonly ArrayValue[]): ArrayValue {
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
  const items: Expr[] = [];
  for (let o = 0; o < outer; o++) {
    for (const part of parts) {
      const chunk = part.items.length / outer;
      for (let i = 0; i < chunk; i++) items.push(part.items[o * chunk + i]!);
    }
  }
  return { dims, items };
}

function cross(pool: Pool, a: ArrayValue, b: ArrayValue): ArrayValue {
  if (a.items.length !== 3 || b.items.length !== 3) mismatch('cross() needs vectors of three elements.');
  const component = (i: number, j: number): Expr =>
    pool.sub(pool.mul(a.items[i]!, b.items[j]!), pool.mul(a.items[j]!, b.items[i]!));
  return vector([component(1, 2), component(2, 0), component(0, 1)]);
}
