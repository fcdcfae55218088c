/**
 * Values of expressions of elements (`affine.ts`) one by one: for parameters that structure depends on.
 */
import { arithmetic } from '../../symbolic/arithmetic.ts';
import type { Call, Expr } from '../../symbolic/expr.ts';
import { affineOf, combined, isReduction, neutral, type Reduction } from './affine.ts';
import { reductionExtents } from './nodes.ts';

export interface ElementValues {
  readonly time: number;
  /** The value of an element, or of a scalar (element 0). */
  get(symbol: number, order: number, element: number): number;
  /** The value of a call of a user function. */
  call(node: Call, args: readonly number[]): number;
}

/** The value of an expression in one turn of the loops around it. */
export function evaluateElement(expr: Expr, counts: readonly number[], values: ElementValues): number {
  const at = (e: Expr): number => evaluateElement(e, counts, values);
  switch (expr.kind) {
    case 'const':
      return expr.value;
    case 'time':
      return values.time;
    case 'iter':
      return counts[expr.iterator]!;
    case 'ref': {
      const { base, strides } = affineOf(expr);
      return values.get(expr.symbol, expr.order, elementIn(base, strides, counts));
    }
    case 'apply': {
      if (isReduction(expr)) return reduce(expr, counts, values);
      const [a, b, c] = expr.args as [Expr, Expr, Expr];
      switch (expr.op) {
        case 'if':
          return at(a) !== 0 ? at(b) : at(c);
        case 'and':
          return at(a) !== 0 && at(b) !== 0 ? 1 : 0;
        case 'or':
          return at(a) !== 0 || at(b) !== 0 ? 1 : 0;
        default:
          return arithmetic(expr.op, at(a), b ? at(b) : 0, c ? at(c) : 0) ?? Number.NaN;
      }
    }
    case 'call':
      return values.call(expr, expr.args.map(at));
    default:
      return Number.NaN;
  }
}

/** The element `base + Σ strides·counts`, without the loops that are not among the counts. */
export function elementIn(base: number, strides: readonly number[], counts: readonly number[]): number {
  let element = base;
  for (let k = 0; k < counts.length && k < strides.length; k++) element += strides[k]! * counts[k]!;
  return element;
}

function reduce(expr: Reduction, counts: readonly number[], values: ElementValues): number {
  const extents = reductionExtents(expr);
  let result = neutral[expr.op];
  eachTurn(extents, (own) => {
    const value = evaluateElement(expr.args[0]!, [...counts, ...own], values);
    result = arithmetic(combined[expr.op], result, value, 0)!;
  });
  return result;
}

/** Visits the turns of nested loops, outermost slowest; the counts are the same list every time. */
export function eachTurn(
  extents: readonly number[],
  visit: (counts: readonly number[]) => void,
  reversed = false,
): void {
  const counts = extents.map((n) => (reversed ? n - 1 : 0));
  for (;;) {
    visit(counts);
    let k = extents.length - 1;
    for (; k >= 0; k--) {
      if (reversed ? counts[k]! > 0 : counts[k]! + 1 < extents[k]!) break;
      counts[k] = reversed ? extents[k]! - 1 : 0;
    }
    if (k < 0) return;
    counts[k]! += reversed ? -1 : 1;
  }
}
