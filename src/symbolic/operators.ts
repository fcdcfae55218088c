/** What kinds of operators there are: one place for the lists that evaluation, derivatives and code share. */
import type { Op } from './expr.ts';

const event: ReadonlySet<Op> = new Set<Op>(['initial', 'terminal', 'sample', 'edge', 'change', 'der']);
const logical: ReadonlySet<Op> = new Set<Op>(['lt', 'le', 'gt', 'ge', 'eq', 'ne', 'and', 'or', 'not']);
const integral: ReadonlySet<Op> = new Set<Op>(['sign', 'floor', 'ceil', 'idiv', 'exact']);

/** Operators whose value the simulator knows, like that of a leaf. */
export function isEventOperator(op: Op): boolean {
  return event.has(op);
}

/** Relations and logical operators: Boolean, whatever their arguments. */
export function isLogical(op: Op): boolean {
  return logical.has(op);
}

/** Operators whose value is constant between events, so that no derivative flows through them. */
export function isPiecewiseConstant(op: Op): boolean {
  return integral.has(op) || logical.has(op) || event.has(op);
}

/** What a sum, product, minimum or maximum of nothing is (Modelica 3.7, section 10.3.4): zero, one, the greatest and the least Real. */
export const ofNothing = {
  sum: 0,
  product: 1,
  min: Number.MAX_VALUE,
  max: -Number.MAX_VALUE,
} as const;
