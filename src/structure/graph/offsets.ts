/**
 * The Sigma-method (Pryce 2001): how often each equation must be differentiated and how far each variable
 * then goes.
 *
 * `sigma[e]` is the highest derivative of the variable in the equation of edge e. The offsets are the
 * smallest integers c_i >= 0, d_j >= 0 with d_j - c_i >= sigma_ij on all edges and equality on a transversal
 * (a perfect matching); such a transversal has the highest value. Edges with equality are *tight*; they are
 * the structure of the leading system F_i^(c_i) = 0 for x_j^(d_j).
 *
 * They are found as Pantelides (1988) does, by differentiating minimally singular subsets, but all of them at
 * once: with c = 0 and d_j = max_i sigma_ij to begin with, match along tight edges as far as possible; every
 * row that alternating paths reach from an unmatched row must be differentiated, in every solution; raise
 * them, and their columns, by the least slack of an edge that leaves the set. The last row to be matched is
 * raised in every phase, so that there are at most max c_i phases, each one maximum matching: O(max c * m
 * sqrt(n)).
 */
import type { Incidence } from '../../collections/incidence.ts';
import { Matching } from '../../collections/matching.ts';
import { alternating } from './decomposition.ts';

export interface Offsets {
  readonly c: Int32Array;
  readonly d: Int32Array;
  /** The transversal: a perfect matching along tight edges. */
  readonly transversal: Matching;
  /** Degrees of freedom, the number of states: sum d - sum c. */
  readonly dof: number;
  /** Pryce's structural index: max c_i, and one more where some d_j = 0 (an algebraic variable). */
  readonly index: number;
}

/**
 * Offsets of a square, structurally regular system (one with a perfect matching). `minimum[j]` bounds d_j
 * from below, as an equation of its own that contains x_j^(minimum) would.
 */
export function findOffsets(graph: Incidence, sigma: Int32Array, minimum?: Int32Array): Offsets {
  const c = new Int32Array(graph.rows);
  const d = highestOrders(graph, sigma, minimum);
  let tight = new Matching(tightEdges(graph, sigma, c, d)).maximise();
  while (tight.size < graph.rows) {
    raise(graph, sigma, c, d, tight);
    tight = new Matching(tightEdges(graph, sigma, c, d), tight).maximise();
  }
  return { c, d, transversal: tight, dof: sum(d) - sum(c), index: structuralIndex(c, d) };
}

/** The edges with d_j - c_i = sigma_ij. */
function tightEdges(graph: Incidence, sigma: Int32Array, c: Int32Array, d: Int32Array): Incidence {
  const starts = new Int32Array(graph.rows + 1);
  const targets = new Int32Array(graph.targets.length);
  let count = 0;
  for (let i = 0; i < graph.rows; i++) {
    for (let e = graph.starts[i]!; e < graph.starts[i + 1]!; e++) {
      const j = graph.targets[e]!;
      if (d[j]! - c[i]! === sigma[e]) targets[count++] = j;
    }
    starts[i + 1] = count;
  }
  return { rows: graph.rows, columns: graph.columns, starts, targets: targets.subarray(0, count) };
}

function highestOrders(graph: Incidence, sigma: Int32Array, minimum: Int32Array | undefined): Int32Array {
  const d = minimum ? minimum.slice() : new Int32Array(graph.columns);
  for (let e = 0; e < sigma.length; e++) {
    const j = graph.targets[e]!;
    if (sigma[e]! > d[j]!) d[j] = sigma[e]!;
  }
  return d;
}

/**
 * Differentiates what alternating tight paths reach from the unmatched rows, until another edge becomes
 * tight.
 */
function raise(graph: Incidence, sigma: Int32Array, c: Int32Array, d: Int32Array, tight: Matching): void {
  const { sources: rows, targets: columns } = alternating(tight.graph, tight.columnOf, tight.rowOf);
  let step = Number.POSITIVE_INFINITY;
  for (let i = 0; i < graph.rows; i++) {
    if (!rows[i]) continue;
    for (let e = graph.starts[i]!; e < graph.starts[i + 1]!; e++) {
      const j = graph.targets[e]!;
      if (!columns[j]) step = Math.min(step, d[j]! - c[i]! - sigma[e]!);
    }
  }
  if (step === Number.POSITIVE_INFINITY) throw new Error('findOffsets: the system is structurally singular');
  for (let i = 0; i < graph.rows; i++) if (rows[i]) c[i]! += step;
  for (let j = 0; j < graph.columns; j++) if (columns[j]) d[j]! += step;
}

const structuralIndex = (c: Int32Array, d: Int32Array): number => highest(c) + (d.includes(0) ? 1 : 0);

/** The highest of some numbers, or 0. */
export const highest = (values: Int32Array): number => values.reduce((a, b) => Math.max(a, b), 0);

const sum = (values: Int32Array): number => values.reduce((a, b) => a + b, 0);
