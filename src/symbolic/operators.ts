/** What kinds of operators there are: one place for the lists that evaluation, derivatives and code share. */
import type { Op, ScalarOp } from './expr.ts';

/** Operators by their names, with blanks between. */
export const setOf = (names: string): ReadonlySet<Op> => new Set(names.split(' ') as Op[]);

/** Operators that are functions of `Math` by their names. */
export type MathFunction = Extract<ScalarOp, keyof Math>;
export const elementary = setOf(
  'sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10',
) as ReadonlySet<MathFunction>;

/** Operators that have an iterator of their own: the last arguments are evaluated for each of its values. */
export const iterating = setOf('comprehension sumOver productOver minOver maxOver');

/** Operators whose operands may be swapped without changing a bit of the result. */
export const commutative = setOf('add mul eq ne and or min max');

const event = setOf('initial terminal sample edge change der');
const logical = setOf('lt le gt ge eq ne and or not');
const integral = setOf('sign floor ceil idiv exact');

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
