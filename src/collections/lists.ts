/** Lists of numbers and of other things: comparing, joining, searching. */

export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, k) => item === b[k]);
}

/** Arrays one after the other, as one of the same kind. */
export function concatenated<A extends Float64Array | Int32Array | Uint8Array>(
  parts: readonly A[],
  make: new (length: number) => A,
): A {
  const all = new make(parts.reduce((length, part) => length + part.length, 0));
  let next = 0;
  for (const part of parts) {
    all.set(part, next);
    next += part.length;
  }
  return all;
}

/** The same numbers, with room for twice as many, and for `least` of them. */
export function grown<A extends Float64Array | Int32Array | Uint8Array>(array: A, least = 0): A {
  const Kind = array.constructor as new (length: number) => A;
  const larger = new Kind(Math.max(least, 2 * array.length));
  larger.set(array);
  return larger;
}

/** How many of the numbers 0, 1, … below `count` something holds for, where it holds for none after the first that it does not hold for. */
export function countWhile(count: number, holds: (k: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Below so many numbers a loop is faster than a view. */
const few = 24;

/** Copies `count` numbers from `start` on to where `at` says. */
export function copyNumbers(
  from: Float64Array,
  start: number,
  to: Float64Array,
  at: number,
  count: number,
): void {
  if (count > few)
    to.set(start === 0 && count === from.length ? from : from.subarray(start, start + count), at);
  else for (let i = 0; i < count; i++) to[at + i] = from[start + i]!;
}
