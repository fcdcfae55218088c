/**
 * Ranges `first : step : last` (Modelica 3.7, section 10.4.3): the elements are `first + k*step` for k = 0 … n, with n = floor((last - first)/step). All
 * that counts the elements of a range, while translating and while running, does it by this rule.
 *
 * Decimal fractions are rounded, and so is the quotient: (0.3 - 0)/0.1 is 2.9999999999999996, and 0:0.1:0.3 shall have 0.3 among its elements. What
 * a few roundings of the three numbers can take from the quotient is therefore added to it, and no more: 0:0.1:0.99999999995 ends with 0.9. Of
 * Integers below 2^48 the result is exact.
 */

/** Units in the last place that the bounds together may be off: three numbers, a difference and a quotient, and some sums before. */
export const rangeSlack = 2 ** -49;

/** How many elements a range has. A step of zero, or bounds that are no finite numbers, give none: whoever reads such a range reports that it is wrong. */
export function rangeCount(first: number, step: number, last: number): number {
  const slack = (rangeSlack * (Math.abs(first) + Math.abs(last))) / Math.abs(step);
  const count = Math.floor((last - first) / step + slack) + 1;
  return count > 0 && step !== 0 ? count : 0;
}

/** The elements of a range. */
export function rangeValues(first: number, step: number, last: number): number[] {
  return Array.from({ length: rangeCount(first, step, last) }, (_, k) => first + k * step);
}
