/**
 * What a maximum matching of equations (rows) with unknowns (columns) says about a system. Where it is not perfect, the coarse decomposition of Dulmage and
 * Mendelsohn (1958) shows which part has too many equations and which part too few.
 */
import { type Incidence, transpose } from '../../collections/incidence.ts';
import type { Matching } from '../../collections/matching.ts';

export interface GraphPart {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/**
 * Over-determined: more rows than columns. Under-determined: more columns than rows. Well-determined: the
 * rest.
 */
export interface Decomposition {
  readonly over: GraphPart;
  readonly under: GraphPart;
  readonly well: GraphPart;
}

/** The coarse decomposition; `matching` must be a maximum one. */
export function dulmageMendelsohn(matching: Matching): Decomposition {
  const { graph, columnOf, rowOf } = matching;
  const over = alternating(graph, columnOf, rowOf);
  const under = alternating(transpose(graph), rowOf, columnOf);
  const well = {
    rows: indices(graph.rows, (i) => !over.sources[i] && !under.targets[i]),
    columns: indices(graph.columns, (j) => !over.targets[j] && !under.sources[j]),
  };
  return {
    over: {
      rows: indices(graph.rows, (i) => over.sources[i] === 1),
      columns: indices(graph.columns, (j) => over.targets[j] === 1),
    },
    under: {
      rows: indices(graph.rows, (i) => under.targets[i] === 1),
      columns: indices(graph.columns, (j) => under.sources[j] === 1),
    },
    well,
  };
}

/**
 * What alternating paths reach from the unmatched sources (the rows of `graph`): flags of sources and
 * targets.
 */
export function alternating(
  graph: Incidence,
  targetOf: Int32Array,
  sourceOf: Int32Array,
): { readonly sources: Uint8Array; readonly targets: Uint8Array } {
  const sources = new Uint8Array(graph.rows);
  const targets = new Uint8Array(graph.columns);
  const queue: number[] = [];
  for (let i = 0; i < graph.rows; i++) {
    if (targetOf[i] !== -1) continue;
    sources[i] = 1;
    queue.push(i);
  }
  for (let head = 0; head < queue.length; head++) {
    const source = queue[head]!;
    for (let e = graph.starts[source]!; e < graph.starts[source + 1]!; e++) {
      const target = graph.targets[e]!;
      if (targets[target]) continue;
      targets[target] = 1;
      const next = sourceOf[target]!;
      if (next !== -1 && !sources[next]) {
        sources[next] = 1;
        queue.push(next);
      }
    }
  }
  return { sources, targets };
}

function indices(count: number, holds: (k: number) => boolean): number[] {
  const list: number[] = [];
  for (let k = 0; k < count; k++) if (holds(k)) list.push(k);
  return list;
}
