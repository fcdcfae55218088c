/**
 * Spanning trees of a virtual connection graph (Modelica 3.6, section 9.4). Nodes are numbers from 0. Branches always belong to a tree; a connect does
 * unless it closes a loop. Every tree has one root: a definite one, or else that of its potential roots which has the least priority.
 *
 * A connect that closes a loop of connects alone says nothing new: it is needless. One that closes a loop with branches, or joins the trees of
 * two definite roots, is broken: there a constraint takes the place of the equality.
 */
import { rootIn } from '../../collections/forest.ts';

export type Edge = readonly [a: number, b: number];

export interface SpanningProblem {
  readonly size: number;
  readonly branches: readonly Edge[];
  readonly connects: readonly Edge[];
  readonly roots: readonly number[];
  readonly potential: readonly { readonly node: number; readonly priority: number }[];
}

export interface SpanningForest {
  /** What becomes of each connect. */
  readonly connects: readonly ('kept' | 'broken' | 'needless')[];
  readonly roots: ReadonlySet<number>;
  /** By node: how many edges it is away from its root; -1 without one. */
  readonly depth: readonly number[];
  /** Numbers of branches that close a loop, or join two definite roots. */
  readonly closing: readonly number[];
  /** One node of each tree that has no root. */
  readonly rootless: readonly number[];
}

export function spanningForest(problem: SpanningProblem): SpanningForest {
  const { size, branches, connects, roots: definite, potential } = problem;
  // All definite roots belong to one tree, that of a node of its own.
  const parent = Array.from({ length: size + 1 }, (_, node) => node);
  for (const root of definite) join(parent, root, size);
  const tree: Edge[] = [];
  const closing = [...branches.keys()].filter((k) => !take(parent, branches[k]!, tree));
  const alone = Array.from({ length: size }, (_, node) => node);
  const kinds = connects.map((edge) => {
    if (!join(alone, ...edge)) return 'needless';
    return take(parent, edge, tree) ? 'kept' : 'broken';
  });
  const chosen = new Map<number, { readonly node: number; readonly priority: number }>();
  for (const one of potential) {
    const own = rootIn(parent, one.node);
    const other = chosen.get(own);
    if (own !== rootIn(parent, size) && !(other && other.priority <= one.priority)) chosen.set(own, one);
  }
  const roots = new Set([...definite, ...[...chosen.values()].map(({ node }) => node)]);
  const depth = depthsFrom(roots, tree, size);
  const rootless = new Map<number, number>();
  for (let node = size - 1; node >= 0; node--)
    if (depth[node] === -1) rootless.set(rootIn(parent, node), node);
  return { connects: kinds, roots, depth, closing, rootless: [...rootless.values()] };
}

/** Joins two trees; false where they are one already. */
function join(parent: number[], a: number, b: number): boolean {
  const ra = rootIn(parent, a);
  const rb = rootIn(parent, b);
  parent[Math.max(ra, rb)] = Math.min(ra, rb);
  return ra !== rb;
}

function take(parent: number[], edge: Edge, tree: Edge[]): boolean {
  const isNew = join(parent, ...edge);
  if (isNew) tree.push(edge);
  return isNew;
}

function depthsFrom(roots: ReadonlySet<number>, tree: readonly Edge[], size: number): number[] {
  const next: number[][] = Array.from({ length: size }, () => []);
  for (const [a, b] of tree) {
    next[a]!.push(b);
    next[b]!.push(a);
  }
  const depth = new Array<number>(size).fill(-1);
  const queue = [...roots];
  for (const root of queue) depth[root] = 0;
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at]!;
    for (const other of next[node]!) {
      if (depth[other] !== -1) continue;
      depth[other] = depth[node]! + 1;
      queue.push(other);
    }
  }
  return depth;
}
