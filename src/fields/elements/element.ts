/**
 * Elements of array expressions, written with loop counters instead of numbers. Where `symbolic/arrays.ts` writes an
 * array of n elements out as n expressions, `ElementWriter` writes one expression that is valid for all of them:
 *
 *     der(T[2:n-1]) = k*(T[1:n-2] - …)      becomes      der(T)⟨1 + c₀⟩ = k*(T⟨0 + c₀⟩ - …),   c₀ = 0 … n-3
 *
 * How accesses, counters and reductions are encoded: `affine.ts`.
 *
 * What cannot be written this way is `Unfit`. An array that is put together from parts (`cat`, `{a, b}`) has another
 * expression in each part: `Cut` says where the loop has to be cut in two, and the caller begins anew.
 */

import { reachedFunctions } from '../../code/callees.ts';
import type { Apply, Call, Expr, Ref } from '../../symbolic/expr.ts';
import { isLogical } from '../../symbolic/operators.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { outputOffset, sizeOf } from '../../symbolic/shape.ts';
import {
  type Affine,
  accessTo,
  Cut,
  combined,
  constantIndex,
  counter,
  countsOf,
  indexValue,
  isConstant,
  isReduction,
  neutral,
  type Reduction,
  type ReductionOp,
  scaled,
  sum,
  Unfit,
  writtenInParts,
} from './affine.ts';
import { Conditions } from './conditions.ts';
import { handlesTexts, writtenOut } from './functions.ts';
import { isColon } from './shapes.ts';

const reductions: Record<'sum' | 'product' | 'minOf' | 'maxOf', ReductionOp> = {
  sum: 'sumOver',
  product: 'productOver',
  minOf: 'minOver',
  maxOf: 'maxOver',
};

/** Writes elements of expressions inside of given loops. One object serves one equation. */
export class ElementWriter extends Conditions {
  private readonly pool: Pool = this.arrays.pool;
  /** Deepest nesting of expressions that is followed. */
  private depth = 0;

  /** The element of an array expression at these positions (from 0), one for each of its dimensions. */
  element(expr: Expr, at: readonly Affine[]): Expr {
    if (++this.depth > deepest) throw new Unfit('it is nested too deeply');
    const result = this.elementOf(expr, at);
    this.depth--;
    return result;
  }

  /** As `element`, of an expression that may be a scalar in place of an array. */
  elementOrScalar(expr: Expr, at: readonly Affine[]): Expr {
    return this.element(expr, this.shape(expr).length === 0 ? [] : at);
  }

  private elementOf(expr: Expr, at: readonly Affine[]): Expr {
    switch (expr.kind) {
      case 'const':
      case 'time':
        return expr;
      case 'iter': {
        const value = this.iterators.get(expr.iterator);
        if (!value) throw new Unfit('it uses an iterator of its surroundings');
        return indexValue(this.pool, value);
      }
      case 'ref':
        return this.reference(expr, at);
      case 'apply':
        return this.applied(expr, at);
      case 'call':
        return this.called(expr, at);
      case 'pre':
      case 'held':
      case 'local':
      case 'text':
        throw new Unfit('it holds discrete values');
    }
  }

  /** A call with the elements of its inputs in a row, and with the number of one scalar output, as scalars have it. */
  private called(expr: Call, at: readonly Affine[]): Expr {
    const { functions } = this.arrays;
    const fn = functions[expr.fn]!;
    if (reachedFunctions(functions, [expr]).some((k) => functions[k]!.external))
      throw new Unfit('it calls an external function');
    if (handlesTexts(functions, expr.fn)) throw new Unfit('it calls a function of Strings');
    const args = expr.args.flatMap((arg, k) => this.argument(arg, fn.locals[k]!.dims));
    const { dims } = fn.locals[fn.inputs + expr.output]!;
    if (sizeOf(dims) > mostParts) throw new Unfit('it calls a function that gives a large array');
    let output = 0;
    dims.forEach((n, k) => {
      const [low, high] = this.bounds(at[k]!);
      if (low !== high) throw this.cutAt(at[k]!, 1);
      output = output * n + low;
    });
    if (fn.inline === 'demanded') throw new Unfit('it calls a function whose relations cause events');
    const call = this.pool.call(expr.fn, args, outputOffset(fn, expr.output) + output) as Call;
    return writtenOut(this.arrays, call) ?? call;
  }

  /** The elements of an argument, for an input of these sizes. */
  private argument(arg: Expr, dims: readonly number[]): Expr[] {
    const own = this.shape(arg);
    const size = sizeOf(dims);
    if (size > mostArguments) throw new Unfit('it calls a function with a large array');
    if (own.length === 0) return new Array<Expr>(size).fill(this.element(arg, []));
    if (own.length !== dims.length || own.some((n, k) => n !== dims[k])) throw new Unfit('sizes do not fit');
    return Array.from({ length: size }, (_, flat) =>
      this.element(arg, countsOf(dims, flat).map(constantIndex)),
    );
  }

  private reference(expr: Ref, at: readonly Affine[]): Expr {
    const dims = this.arrays.dimsOf(expr.symbol);
    if (dims.length === 0) return expr;
    const index = this.selected(dims, expr.subscripts, at);
    return accessTo(this.pool, expr.symbol, expr.order, this.place(dims, index));
  }

  /** The number of an element, which must be one of the array. */
  private place(dims: readonly number[], at: readonly Affine[]): Affine {
    return dims.reduce((flat, n, k) => {
      this.checkRange(at[k]!, n);
      return sum(scaled(flat, n), at[k]!);
    }, constantIndex(0));
  }

  /** Positions in the whole array, all of them in it, where `at` are positions in what the subscripts select. */
  private selected(
    dims: readonly number[],
    subscripts: readonly Expr[],
    at: readonly Affine[],
  ): readonly Affine[] {
    let next = 0;
    const index = dims.map((_, k) => {
      const subscript = subscripts[k];
      if (!subscript || isColon(subscript)) return at[next++]!;
      if (this.shape(subscript).length === 0) return sum(this.integer(subscript), constantIndex(-1));
      const { first, step } = this.range(subscript);
      return scaled(at[next++]!, step, first - 1);
    });
    index.forEach((position, k) => {
      this.checkRange(position, dims[k]!);
    });
    return index;
  }

  /** All values of the index are positions in a dimension of size n; otherwise scalarising tells the mistake. */
  private checkRange(index: Affine, n: number): void {
    const [low, high] = this.bounds(index);
    if (low < 0 || high >= n || !Number.isInteger(index.base)) throw new Unfit('a subscript is out of range');
  }

  private applied(expr: Apply, at: readonly Affine[]): Expr {
    const { pool } = this;
    const [a, b, c] = expr.args as [Expr, Expr, Expr];
    if (isReduction(expr)) return this.iteratedOver(expr);
    if (expr.op === 'if' || isLogical(expr.op)) return this.conditional(expr, at);
    switch (expr.op) {
      case 'array':
        return this.literal(expr, at);
      case 'range': {
        const { first, step } = this.range(expr);
        return indexValue(pool, scaled(at[0]!, step, first));
      }
      case 'fill':
        return this.element(a, at.slice(expr.args.length - 1));
      case 'identity':
        return this.ifEqual(at[0]!, at[1]!, () => pool.one);
      case 'diagonal':
        return this.ifEqual(at[0]!, at[1]!, () => this.element(a, [at[0]!]));
      case 'linspace': {
        const steps = this.integer(c).base - 1;
        if (!(steps >= 1)) throw new Unfit('linspace has too few points');
        const from = this.element(a, []);
        const share = pool.div(indexValue(pool, at[0]!), pool.const(steps));
        return pool.add(from, pool.mul(share, pool.sub(this.element(b, []), from)));
      }
      case 'cat':
        return this.joined(expr, at);
      case 'transpose':
        return this.element(a, [at[1]!, at[0]!]);
      case 'outerProduct':
        return pool.mul(this.element(a, [at[0]!]), this.element(b, [at[1]!]));
      case 'matmul':
        return this.product(a, b, at);
      case 'subscript':
        return this.element(a, this.selected(this.shape(a), expr.args.slice(1), at));
      case 'size':
      case 'ndims':
        return this.sizes(expr, at);
      case 'vector':
      case 'scalar':
      case 'matrix':
      case 'promote':
        if (this.shape(a).length !== at.length) throw new Unfit(`${expr.op} changes dimensions`);
        return this.element(a, at);
      case 'comprehension':
        return this.comprehended(expr, at);
      case 'sum':
      case 'product':
      case 'minOf':
      case 'maxOf':
        return this.reduced(expr.op, a);
      case 'cross':
      case 'skew':
      case 'symmetric':
      case 'colon':
        throw new Unfit(`${expr.op} is written out`);
      default:
        return this.elementwise(expr, at);
    }
  }

  private elementwise({ op, args }: Apply, at: readonly Affine[]): Expr {
    const parts = args.map((arg) => this.elementOrScalar(arg, at));
    return this.pool.apply(op, ...parts);
  }

  /** What the counters decide is not written; loops are cut only where some turns make no sense otherwise. */
  private conditional(expr: Apply, at: readonly Affine[]): Expr {
    const [test, then, otherwise] = expr.args as [Expr, Expr, Expr];
    const decision =
      at.length > 0 && expr.op !== 'if' ? undefined : this.decide(expr.op === 'if' ? test : expr);
    if (typeof decision === 'boolean') {
      if (expr.op !== 'if') return this.pool.bool(decision);
      return this.elementOrScalar(decision ? then : otherwise, at);
    }
    try {
      return this.elementwise(expr, at);
    } catch (problem) {
      throw problem instanceof Unfit && decision ? decision : problem;
    }
  }

  private ifEqual(i: Affine, j: Affine, then: () => Expr): Expr {
    const { pool } = this;
    const difference = indexValue(pool, sum(i, scaled(j, -1)));
    return pool.if(pool.apply('eq', difference, pool.zero), then(), pool.zero);
  }

  /** One part if the position is fixed; numbers lie in memory; anything else is cut into its parts. */
  private literal(expr: Apply, at: readonly Affine[]): Expr {
    const [first, ...rest] = at as [Affine, ...Affine[]];
    const [low, high] = this.bounds(first);
    const part = (): Expr => {
      const chosen = expr.args[low];
      if (!chosen) throw new Unfit('a subscript is out of range');
      return this.elementOrScalar(chosen, rest);
    };
    if (first.strides.every((stride) => stride === 0)) return part();
    const dims = this.shape(expr);
    const values = new Float64Array(sizeOf(dims));
    // Numbers lie in memory, also where there is but one of them: the code is the same for all sizes.
    if (fillNumbers(expr, values))
      return accessTo(this.pool, this.arrays.data(values), 0, this.place(dims, at));
    if (low === high) return part();
    if (expr.args.length > mostParts) throw new Unfit('it lists too many elements');
    throw this.cutAt(first, 1);
  }

  private joined(expr: Apply, at: readonly Affine[]): Expr {
    const along = this.integer(expr.args[0]!).base - 1;
    const position = at[along]!;
    let begin = 0;
    for (const part of expr.args.slice(1)) {
      const end = begin + this.shape(part)[along]!;
      const [low, high] = this.bounds(position);
      if (low >= begin && low < end) {
        if (high >= end) throw this.cutAt(position, end - low);
        const inner = at.map((p, k) => (k === along ? sum(p, constantIndex(-begin)) : p));
        return this.element(part, inner);
      }
      begin = end;
    }
    throw new Unfit('a subscript is out of range');
  }

  /** Where a position that runs up with one loop has gone `distance` from its beginning. */
  private cutAt(position: Affine, distance: number): Cut | Unfit {
    const loops = this.movingLoops(position);
    if (loops.length !== 1) return new Unfit('parts of arrays are selected by several subscripts');
    const depth = loops[0]!;
    const stride = position.strides[depth]!;
    if (stride < 0) return new Unfit('parts of arrays are selected backwards');
    return new Cut(depth, Math.ceil(distance / stride));
  }

  private sizes(expr: Apply, at: readonly Affine[]): Expr {
    const { pool } = this;
    const dims = this.shape(expr.args[0]!);
    if (expr.op === 'ndims') return pool.const(dims.length);
    const k = expr.args[1] ? this.integer(expr.args[1]).base - 1 : at[0]!.base;
    if (at[0] && !isConstant(at[0])) throw new Unfit('sizes are listed');
    return pool.const(dims[k]!);
  }

  // ------------------------------------------------------------------ loops of their own

  private product(a: Expr, b: Expr, at: readonly Affine[]): Expr {
    const left = this.shape(a);
    const right = this.shape(b);
    if (left.length === 0 || right.length === 0)
      return this.pool.mul(this.elementOrScalar(a, at), this.elementOrScalar(b, at));
    if (left[left.length - 1] !== right[0]) throw new Unfit('sizes do not fit');
    const rows = left.length === 2 ? at.slice(0, 1) : [];
    const columns = right.length === 2 ? at.slice(-1) : [];
    return this.over('sumOver', [right[0]!], ([k]) =>
      this.pool.mul(this.element(a, [...rows, k!]), this.element(b, [k!, ...columns])),
    );
  }

  private reduced(op: keyof typeof reductions, argument: Expr): Expr {
    return this.over(reductions[op], this.shape(argument), (at) => this.element(argument, at));
  }

  private iteratedOver(expr: Reduction): Expr {
    const body = expr.args[0]!;
    const loops = [...this.iterations(expr)];
    const extents = loops.map(({ count }) => count);
    return this.over(expr.op, extents, (at) => {
      loops.forEach(({ iterator, first, step }, k) => {
        this.iterators.set(iterator, scaled(at[k]!, step, first));
      });
      if (this.shape(body).length > 0) throw new Unfit('it reduces arrays of arrays');
      return this.element(body, []);
    });
  }

  /** One reduction with loops inside of those around it; several of them where its loops have to be cut. */
  private over(op: ReductionOp, extents: readonly number[], value: (at: readonly Affine[]) => Expr): Expr {
    const { pool } = this;
    const outer = this.extents.length;
    if (extents.some((n) => n === 0)) return pool.const(neutral[op]);
    if (outer + extents.length > mostLoops) throw new Unfit('loops are nested too deeply');
    const { depth } = this;
    const parts = writtenInParts<Expr>(extents, outer, mostParts, 'a reduction', (loops) => {
      this.depth = depth;
      this.extents.push(...loops.map(({ count }) => count));
      try {
        const body = value(loops.map(({ first, step }, k) => counter(outer + k, step, first)));
        const ranges = loops.flatMap(({ count }, k) => [
          pool.iter(outer + k),
          pool.raw('range', [pool.zero, pool.one, pool.const(count - 1)]),
        ]);
        return pool.raw(op, [body, ...ranges]);
      } finally {
        this.extents.length = outer;
      }
    });
    return parts.reduce((all, part) => pool.apply(combined[op], all, part));
  }

  private comprehended(expr: Apply, at: readonly Affine[]): Expr {
    let k = 0;
    for (const { iterator, first, step } of this.iterations(expr))
      this.iterators.set(iterator, scaled(at[k++]!, step, first));
    return this.element(expr.args[0]!, at.slice(k));
  }
}

/** Nesting that is followed; deeper expressions are left to the scalar part. */
const deepest = 500;
/** Loops around an expression. */
const mostLoops = 8;
/** Elements of an array that is handed to a function: they are handed over one by one. */
const mostArguments = 200;
/** Parts that an array is cut into. */
const mostParts = 16;

/** Writes the numbers of a nested list, row-major; false where something else is among them. */
function fillNumbers(expr: Expr, values: Float64Array): boolean {
  let next = 0;
  const visit = (node: Expr): boolean => {
    if (node.kind === 'const') {
      values[next++] = node.value;
      return true;
    }
    return node.kind === 'apply' && node.op === 'array' && node.args.every(visit);
  };
  return visit(expr) && next === values.length;
}
