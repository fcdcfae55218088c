/**
 * Which algebraic variables could be integrated in the place of one that must not be a state.
 *
 * In `der(x) = -v, x = p - i, …` with stateSelect=never of x, differentiating the second equation makes i a state and x dependent on it. Such
 * variables are reached from x through equations that contain both of them without derivatives; through an equation that is differentiated anyway
 * nothing is gained.
 */
import type { Incidence } from '../collections/incidence.ts';
import type { Offsets } from './graph/offsets.ts';

/** How many are tried: each trial analyses the mode again. */
const most = 24;

/**
 * Columns with d = 0, the most wanted first and the nearest among equals. `wanted` is 0 where a column cannot be integrated; on the way it may be passed.
 */
export function substitutesFor(
  column: number,
  graph: Incidence,
  sigma: Int32Array,
  { c, d }: Offsets,
  wanted: (column: number) => number,
): readonly number[] {
  const rowsOf = algebraicRows(graph, sigma, c);
  const reached = new Set([column]);
  const seen = new Set<number>();
  // A set is walked in the order in which it grows: breadth first.
  for (const j of reached) {
    for (const i of rowsOf[j]!) {
      if (seen.has(i)) continue;
      seen.add(i);
      for (let e = graph.starts[i]!; e < graph.starts[i + 1]!; e++)
        if (d[graph.targets[e]!] === 0) reached.add(graph.targets[e]!);
    }
  }
  return [...reached]
    .filter((j) => d[j] === 0 && wanted(j) > 0)
    .sort((p, q) => wanted(q) - wanted(p))
    .slice(0, most);
}

/** For each column the rows that are not differentiated and contain it without derivatives. */
function algebraicRows(graph: Incidence, sigma: Int32Array, c: Int32Array): readonly (readonly number[])[] {
  const rows: number[][] = Array.from({ length: graph.columns }, () => []);
  for (let i = 0; i < graph.rows; i++) {
    if (c[i] !== 0) continue;
    for (let e = graph.starts[i]!; e < graph.starts[i + 1]!; e++)
      if (sigma[e] === 0) rows[graph.targets[e]!]!.push(i);
  }
  return rows;
}
