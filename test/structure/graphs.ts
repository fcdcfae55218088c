/**
 * The notation of these tests: one line an equation, naming the variables it contains; `x'` is a first
 * derivative, `x''` a second. `graph("x'' l x", "y'' l y", "x y")` is the pendulum. Variables are numbered as
 * they first occur.
 */
import fc from 'fast-check';
import type { Incidence } from '../../src/collections/incidence.ts';
import { incidenceOf } from '../../src/collections/incidence.ts';

export interface Graph {
  readonly incidence: Incidence;
  readonly sigma: Int32Array;
  readonly names: readonly string[];
}

export function graph(...equations: string[]): Graph {
  const names: string[] = [];
  const rows: Map<number, number>[] = [];
  for (const equation of equations) {
    const row = new Map<number, number>();
    for (const word of equation.split(/\s+/).filter((w) => w !== '')) {
      const name = word.replace(/'+$/, '');
      const order = word.length - name.length;
      if (!names.includes(name)) names.push(name);
      const column = names.indexOf(name);
      row.set(column, Math.max(order, row.get(column) ?? 0));
    }
    rows.push(row);
  }
  const incidence = incidenceOf(
    rows.map((row) => [...row.keys()]),
    names.length,
  );
  return { incidence, sigma: Int32Array.from(rows.flatMap((row) => [...row.values()])), names };
}

/** `{ x: 2, y: 2, l: 0 }` from an array over columns. */
export function named(g: Graph, values: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(g.names.map((name, j) => [name, values[j]!]));
}

export function adjacency(incidence: Incidence): number[][] {
  return Array.from({ length: incidence.rows }, (_, i) => [
    ...incidence.targets.subarray(incidence.starts[i]!, incidence.starts[i + 1]!),
  ]);
}

/** Random sparse row lists. */
export const lists = (rows: number, columns: number) =>
  fc.array(fc.uniqueArray(fc.nat(columns - 1), { maxLength: Math.min(3, columns) }), {
    minLength: rows,
    maxLength: rows,
  });

/** A random square structure that has a perfect matching: a hidden permutation and some more entries. */
export const regularLists = (largest: number) =>
  fc.integer({ min: 1, max: largest }).chain((n) =>
    fc
      .tuple(
        fc.shuffledSubarray(
          Array.from({ length: n }, (_, k) => k),
          { minLength: n, maxLength: n },
        ),
        lists(n, n),
      )
      .map(([permutation, extra]) => extra.map((row, i) => [...new Set([permutation[i]!, ...row])])),
  );
