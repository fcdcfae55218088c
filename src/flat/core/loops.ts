/**
 * Rolling up: a list of integer vectors as loops. Vectors that follow each other at a constant difference are a loop, loops of equal form
 * that follow each other at a constant difference are a loop of loops, and so on: the subscripts of all connections of a grid are
 * two nested loops again, however they were found. A loop gets a range and every entry of the vectors an expression that
 * is affine in the iterators.
 */
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';

/** Vectors `first + t1 * step1 + t2 * step2 + …` with `0 <= t < count`, the first loop outermost. */
export interface Roll {
  readonly first: readonly number[];
  readonly loops: readonly { readonly count: number; readonly step: readonly number[] }[];
  /** Which of the vectors is the first. */
  readonly position: number;
}

/** Loops in loops; more dimensions are rare, and written out. */
const deepest = 4;

/** Vectors of `width` entries that lie one after the other in `entries`. */
export function rollUp(entries: ArrayLike<number>, width: number): readonly Roll[] {
  let rolls: readonly Roll[] = runsOf(entries, width);
  for (let depth = 1; depth < deepest; depth++) {
    const next = joinRuns(rolls);
    if (next.length === rolls.length) break;
    rolls = next;
  }
  return rolls;
}

/** The same for vectors whose order makes no difference: several loops may be fewer when the vectors are sorted. */
export function rollUpSet(entries: ArrayLike<number>, width: number): readonly Roll[] {
  const rolls = rollUp(entries, width);
  if (rolls.length <= 1) return rolls;
  const order = Int32Array.from({ length: entries.length / width }, (_, k) => k);
  order.sort((a, b) => {
    let k = 0;
    while (k < width - 1 && entries[a * width + k] === entries[b * width + k]) k++;
    return entries[a * width + k]! - entries[b * width + k]!;
  });
  const sorted = new Int32Array(entries.length);
  for (const [to, from] of order.entries())
    for (let k = 0; k < width; k++) sorted[to * width + k] = entries[from * width + k]!;
  const fewer = rollUp(sorted, width);
  if (fewer.length >= rolls.length) return rolls;
  return fewer.map((roll) => ({ ...roll, position: order[roll.position]! }));
}

/** Single vectors and loops of them: the innermost loops are found without an object for each vector. */
function runsOf(entries: ArrayLike<number>, width: number): Roll[] {
  const result: Roll[] = [];
  const total = width === 0 ? 0 : entries.length / width;
  for (let from = 0; from < total; ) {
    const first: number[] = [];
    for (let k = 0; k < width; k++) first.push(entries[from * width + k]!);
    let count = 1;
    const step: number[] = [];
    if (from + 1 < total) {
      for (let k = 0; k < width; k++) step.push(entries[(from + 1) * width + k]! - first[k]!);
      count = 2;
      while (from + count < total && continues(entries, width, from + count, step)) count++;
    }
    const isLoop = isRun(count, step);
    result.push({ first, loops: isLoop ? [{ count, step }] : [], position: from });
    from += isLoop ? count : 1;
  }
  return result;
}

function continues(entries: ArrayLike<number>, width: number, at: number, step: readonly number[]): boolean {
  for (let k = 0; k < width; k++)
    if (entries[at * width + k]! - entries[(at - 1) * width + k]! !== step[k]) return false;
  return true;
}

/** Two of them may follow each other by chance. */
const isRun = (count: number, step: readonly number[]): boolean =>
  count > 2 || (count === 2 && step.every((s) => Math.abs(s) <= 1));

function joinRuns(rolls: readonly Roll[]): Roll[] {
  const result: Roll[] = [];
  for (let from = 0; from < rolls.length; ) {
    const start = rolls[from]!;
    const second = rolls[from + 1];
    let count = 1;
    let step: readonly number[] = [];
    if (second && sameLoops(start, second)) {
      step = second.first.map((at, k) => at - start.first[k]!);
      count = 2;
      while (from + count < rolls.length && follows(rolls[from + count - 1]!, rolls[from + count]!, step))
        count++;
    }
    if (isRun(count, step)) {
      result.push({ ...start, loops: [{ count, step }, ...start.loops] });
      from += count;
    } else {
      result.push(start);
      from++;
    }
  }
  return result;
}

function follows(before: Roll, after: Roll, step: readonly number[]): boolean {
  return sameLoops(before, after) && after.first.every((at, k) => at - before.first[k]! === step[k]);
}

function sameLoops(a: Roll, b: Roll): boolean {
  if (a.first.length !== b.first.length || a.loops.length !== b.loops.length) return false;
  return a.loops.every(({ count, step }, l) => {
    const other = b.loops[l]!;
    return count === other.count && step.every((s, k) => s === other.step[k]);
  });
}

/** A roll as text of for-loops: the range of each loop, and the entries as expressions of the iterators. */
export interface Loops {
  /** `[first, step, last]` by loop. */
  readonly ranges: readonly (readonly [number, number, number])[];
  /** `entries[k][l]`: the factor of iterator l in entry k; the last one is the constant. */
  readonly entries: readonly (readonly number[])[];
}

/**
 * Where possible an iterator is one of the entries itself, so that subscripts read `i` and `i + 1`; otherwise it counts
 * from 1.
 */
export function loopsOf({ first, loops }: Roll): Loops {
  const entries = first.map((at) => [...loops.map(() => 0), at]);
  const ranges = loops.map(({ count, step }, l): readonly [number, number, number] => {
    const leader = leadingEntry(loops, l);
    const by = leader === undefined ? 1 : step[leader]!;
    const from = leader === undefined ? 1 : first[leader]!;
    for (const [k, s] of step.entries()) {
      const factor = s === 0 ? 0 : s / by;
      entries[k]![l] = factor;
      entries[k]![loops.length]! -= factor * from;
    }
    return [from, by, from + by * (count - 1)];
  });
  return { ranges, entries };
}

/** The entry with the smallest step in a loop; its own steps are zero in all others, and it divides the other steps. */
function leadingEntry(loops: Roll['loops'], l: number): number | undefined {
  const { step } = loops[l]!;
  let best: number | undefined;
  for (const [k, s] of step.entries()) {
    if (s === 0 || loops.some((other, m) => m !== l && other.step[k] !== 0)) continue;
    if (best === undefined || Math.abs(s) < Math.abs(step[best]!)) best = k;
  }
  return best !== undefined && step.every((s) => s % step[best]! === 0) ? best : undefined;
}

/** An entry as an expression of iterators. */
export function entryExpr(pool: Pool, entry: readonly number[], iterators: readonly Expr[]): Expr {
  let sum: Expr | undefined;
  for (const [l, iterator] of iterators.entries()) {
    const factor = entry[l]!;
    if (factor === 0) continue;
    const term = factor === 1 ? iterator : pool.mul(pool.const(factor), iterator);
    sum = sum ? pool.add(sum, term) : term;
  }
  const rest = entry[entry.length - 1]!;
  if (!sum) return pool.const(rest);
  return rest === 0 ? sum : pool.raw('add', [sum, pool.const(rest)]);
}
