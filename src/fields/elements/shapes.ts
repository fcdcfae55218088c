/**
 * Sizes of array expressions, and integers in them (subscripts, ranges), without writing out any element. Integers are affine functions of the
 * loop counters around the expression.
 */

import { remember } from '../../collections/memo.ts';
import type { Apply, Expr } from '../../symbolic/expr.ts';
import { rangeCount } from '../../symbolic/ranges.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { type Affine, type Arrays, constantIndex, isConstant, scaled, sum, Unfit } from './affine.ts';

export class Shapes {
  /** Iterators of the model as functions of the counters. */
  protected readonly iterators: Map<number, Affine>;
  private readonly shapes = new Map<Expr, readonly number[]>();

  constructor(
    protected readonly arrays: Arrays,
    iterators: ReadonlyMap<number, Affine>,
  ) {
    this.iterators = new Map(iterators);
  }

  /** A range of integers with a step, or a list of integers with equal steps. */
  range(expr: Expr): { first: number; step: number; count: number } {
    if (expr.kind !== 'apply') throw new Unfit('a range is not known');
    if (expr.op === 'range') {
      const [first, step, last] = expr.args.map((arg) => this.fixed(arg)) as [number, number, number];
      return { first, step, count: rangeCount(first, step, last) };
    }
    if (expr.op !== 'array') throw new Unfit('a range is not known');
    const items = expr.args.map((arg) => this.fixed(arg));
    const step = items.length > 1 ? items[1]! - items[0]! : 1;
    if (items.length === 0 || items.some((item, k) => item !== items[0]! + k * step))
      throw new Unfit('subscripts are listed');
    return { first: items[0]!, step, count: items.length };
  }

  private fixed(expr: Expr): number {
    const value = this.integer(expr);
    if (!isConstant(value) || !Number.isInteger(value.base)) throw new Unfit('a range is not known');
    return value.base;
  }

  /** An integer expression as an affine function of the counters. */
  integer(expr: Expr): Affine {
    switch (expr.kind) {
      case 'const':
        return constantIndex(expr.value);
      case 'iter': {
        const value = this.iterators.get(expr.iterator);
        if (value) return value;
        break;
      }
      case 'ref': {
        const value = expr.order === 0 ? this.arrays.known(expr.symbol) : undefined;
        if (value !== undefined) return constantIndex(value);
        break;
      }
      case 'apply':
        return this.integerOf(expr);
    }
    throw new Unfit('a subscript is not known');
  }

  protected integerOf({ op, args }: Apply): Affine {
    const at = (k: number): Affine => this.integer(args[k]!);
    switch (op) {
      case 'add':
        return sum(at(0), at(1));
      case 'sub':
        return sum(at(0), scaled(at(1), -1));
      case 'neg':
        return scaled(at(0), -1);
      case 'mul': {
        const [a, b] = [at(0), at(1)];
        if (isConstant(a)) return scaled(b, a.base);
        if (isConstant(b)) return scaled(a, b.base);
        break;
      }
      case 'size':
        if (args[1]) return constantIndex(this.shape(args[0]!)[at(1).base - 1]!);
        break;
    }
    throw new Unfit('a subscript is not known');
  }

  /** Sizes of an expression, found without writing out its elements. */
  shape(expr: Expr): readonly number[] {
    return remember(this.shapes, expr, () => this.shapeOf(expr));
  }

  private shapeOf(expr: Expr): readonly number[] {
    if (expr.kind === 'ref') return this.keptDims(this.arrays.dimsOf(expr.symbol), expr.subscripts);
    if (expr.kind === 'call') {
      const fn = this.arrays.functions[expr.fn]!;
      return fn.locals[fn.inputs + expr.output]!.dims;
    }
    if (expr.kind !== 'apply') return [];
    const [a, b, c] = expr.args as [Expr, Expr, Expr];
    switch (expr.op) {
      case 'array': {
        const inner = expr.args.map((arg) => this.shape(arg)).find((dims) => dims.length > 0) ?? [];
        return [expr.args.length, ...inner];
      }
      case 'range':
        return [this.range(expr).count];
      case 'fill':
        return [...expr.args.slice(1).map((n) => this.fixed(n)), ...this.shape(a)];
      case 'identity':
        return [this.fixed(a), this.fixed(a)];
      case 'diagonal':
        return [this.shape(a)[0]!, this.shape(a)[0]!];
      case 'linspace':
        return [this.fixed(c)];
      case 'cat':
        return this.joinedShape(this.fixed(a) - 1, expr.args.slice(1));
      case 'transpose':
        return [this.shape(a)[1]!, this.shape(a)[0]!];
      case 'outerProduct':
        return [this.shape(a)[0]!, this.shape(b)[0]!];
      case 'matmul':
        return productShape(this.shape(a), this.shape(b));
      case 'subscript':
        return this.keptDims(this.shape(a), expr.args.slice(1));
      case 'comprehension':
        return this.comprehendedShape(expr);
      case 'size':
        return b ? [] : [this.shape(a).length];
      case 'vector':
        return [sizeOf(this.shape(a))];
      case 'matrix':
        return [this.shape(a)[0] ?? 1, this.shape(a)[1] ?? 1];
      case 'promote':
        return [
          ...this.shape(a),
          ...new Array<number>(Math.max(0, this.fixed(b) - this.shape(a).length)).fill(1),
        ];
      case 'cross':
      case 'skew':
      case 'symmetric':
      case 'colon':
        throw new Unfit(`${expr.op} is written out`);
      case 'sum':
      case 'product':
      case 'minOf':
      case 'maxOf':
      case 'sumOver':
      case 'productOver':
      case 'minOver':
      case 'maxOver':
      case 'ndims':
      case 'scalar':
        return [];
      default:
        return expr.args.map((arg) => this.shape(arg)).find((dims) => dims.length > 0) ?? [];
    }
  }

  private keptDims(dims: readonly number[], subscripts: readonly Expr[]): readonly number[] {
    return dims.flatMap((n, k) => {
      const subscript = subscripts[k];
      if (!subscript || isColon(subscript)) return [n];
      return this.shape(subscript).length === 0 ? [] : [this.range(subscript).count];
    });
  }

  private joinedShape(along: number, parts: readonly Expr[]): readonly number[] {
    const dims = [...this.shape(parts[0]!)];
    if (!(along < dims.length)) throw new Unfit('sizes do not fit');
    dims[along] = parts.reduce((total, part) => total + this.shape(part)[along]!, 0);
    return dims;
  }

  private comprehendedShape(expr: Apply): readonly number[] {
    const dims: number[] = [];
    for (const { iterator, count } of this.iterations(expr)) {
      dims.push(count);
      if (!this.iterators.has(iterator)) this.iterators.set(iterator, constantIndex(1));
    }
    return [...dims, ...this.shape(expr.args[0]!)];
  }

  /** The loops of a comprehension or a reduction, outermost first; ranges may depend on iterators before them. */
  protected *iterations({ args }: Apply) {
    for (let k = args.length - 2; k > 0; k -= 2) {
      const { iterator } = args[k] as { iterator: number };
      yield { iterator, ...this.range(args[k + 1]!) };
    }
  }
}

export function isColon(expr: Expr): boolean {
  return expr.kind === 'apply' && expr.op === 'colon';
}

function productShape(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return [...(a.length === 2 ? [a[0]!] : []), ...(b.length === 2 ? [b[1]!] : [])];
}
