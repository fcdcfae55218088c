/**
 * The numbers behind the scalar operators: one definition that constant folding, the evaluator and the function
 * interpreter share, and that generated code must agree with. Arithmetic is IEEE 754 double, elementary functions
 * are those of `Math`; `div`, `mod`, `rem` and `integer` follow Modelica 3.7, section 3.7.2.1. Booleans are 0 and 1.
 */
import type { Op } from './expr.ts';
import { elementary, type MathFunction } from './operators.ts';

/** The value of a scalar operator, or undefined where the operator is not a function of numbers alone. */
export function arithmetic(op: Op, a: number, b: number, c: number): number | undefined {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'div':
      return a / b;
    case 'neg':
      return -a;
    case 'pow':
      return a ** b;
    case 'sqrt':
      return Math.sqrt(a);
    case 'abs':
      return Math.abs(a);
    case 'sign':
      return a > 0 ? 1 : a < 0 ? -1 : 0;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    case 'floor':
      return Math.floor(a);
    case 'ceil':
      return Math.ceil(a);
    case 'idiv':
      return Math.trunc(a / b);
    case 'mod':
      return a - Math.floor(a / b) * b;
    case 'rem':
      return a - Math.trunc(a / b) * b;
    case 'exact':
      return Math.abs(a) <= Number.MAX_SAFE_INTEGER ? a : Number.NaN;
    case 'if':
      return a !== 0 ? b : c;
    case 'noEvent':
    case 'homotopy':
      return a;
    case 'smooth':
      return b;
    default:
      return isElementary(op) ? (Math[op] as (a: number, b: number) => number)(a, b) : logical(op, a, b);
  }
}

const isElementary = (op: Op): op is MathFunction => (elementary as ReadonlySet<Op>).has(op);

function logical(op: Op, a: number, b: number): number | undefined {
  switch (op) {
    case 'lt':
      return a < b ? 1 : 0;
    case 'le':
      return a <= b ? 1 : 0;
    case 'gt':
      return a > b ? 1 : 0;
    case 'ge':
      return a >= b ? 1 : 0;
    case 'eq':
      return a === b ? 1 : 0;
    case 'ne':
      return a !== b ? 1 : 0;
    case 'and':
      return a !== 0 && b !== 0 ? 1 : 0;
    case 'or':
      return a !== 0 || b !== 0 ? 1 : 0;
    case 'not':
      return a === 0 ? 1 : 0;
    default:
      return undefined;
  }
}

/** Relations that cause events. */
export type RelationOp = 'lt' | 'le' | 'gt' | 'ge';

export function isRelation(op: Op): op is RelationOp {
  return op === 'lt' || op === 'le' || op === 'gt' || op === 'ge';
}

/** Whether `difference op 0` holds. */
export const holds = (op: RelationOp, difference: number): boolean => logical(op, difference, 0) === 1;
