/**
 * Layered drawings of graphs (Sugiyama, Tagawa and Toda 1981): nodes stand in layers, one behind the other, so that most edges lead from a layer to the next. Numbers only: nodes are counted from 0, an edge
 * is a pair of them, sizes and places are lengths *along* the layers' row (from layer to layer) and *across* it. The cost is that of sorting, times a fixed number of sweeps; the result
 * depends on nothing but the input.
 *
 *     a -> b -> c, a -> c     layers a | b | c; the edge from a to c passes b at a place of its own (a node without size)
 */

export interface LayeredGraph {
  /** By node: its size along and across. */
  readonly sizes: readonly (readonly [along: number, across: number])[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Between layers, and between nodes of a layer. */
  readonly gaps: readonly [along: number, across: number];
}

export interface Layering {
  /** By node: where its middle is, from 0 on along, and around 0 across. */
  readonly along: number[];
  readonly across: number[];
  readonly layer: number[];
  /** By edge: where it passes the layers between its ends, in the direction of the edge as given. */
  readonly bends: readonly (readonly (readonly [along: number, across: number])[])[];
  /** The length of the row of layers, and the greatest width of one. */
  readonly size: readonly [along: number, across: number];
}

export function layered({ sizes, edges, gaps }: LayeredGraph): Layering {
  const count = sizes.length;
  const forward = acyclic(count, edges);
  const layer = layersOf(count, forward);
  const { chains, depth, total } = chained(count, forward, layer);
  const ranks = ordered(count, total, depth, chains);
  const widthOf = (node: number): number => (node < count ? sizes[node]![1] : 0);
  const across = placedAcross(ranks, total, chains, widthOf, gaps[1]);
  const starts = layerPlaces(ranks, (node) => (node < count ? sizes[node]![0] : 0), gaps[0]);
  const bends = chains.map((chain, k) => {
    const inner = chain.slice(1, -1).map((node) => [starts[depth[node]!]!, across[node]!] as const);
    return forward[k]![0] === edges[k]![0] ? inner : inner.reverse();
  });
  const ends = across.map((at, node) => Math.abs(at) + widthOf(node) / 2);
  const last = starts.length - 1;
  const deepest = Math.max(0, ...(ranks[last] ?? []).map((node) => (node < count ? sizes[node]![0] : 0)));
  return {
    along: Array.from({ length: count }, (_, node) => starts[layer[node]!]!),
    across: across.slice(0, count),
    layer,
    bends,
    size: [(starts[last] ?? 0) + deepest / 2, 2 * ends.reduce((most, end) => Math.max(most, end), 0)],
  };
}

/** The edges with those turned round that close a cycle: an edge to a node that a walk in depth is still inside of. Loops stay. */
export function acyclic(
  count: number,
  edges: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  const incoming = new Array<number>(count).fill(0);
  for (const [k, [from, to]] of edges.entries()) {
    if (from === to) continue;
    out[from]!.push(k);
    incoming[to]!++;
  }
  const turned = new Uint8Array(edges.length);
  // 0 not seen, 1 inside, 2 done.
  const state = new Uint8Array(count);
  const walk = (root: number): void => {
    const stack: [node: number, next: number][] = [[root, 0]];
    state[root] = 1;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = out[top[0]]![top[1]++];
      if (edge === undefined) {
        state[top[0]] = 2;
        stack.pop();
        continue;
      }
      const to = edges[edge]![1];
      if (state[to] === 1) turned[edge] = 1;
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push([to, 0]);
      }
    }
  };
  for (let node = 0; node < count; node++) if (incoming[node] === 0 && state[node] === 0) walk(node);
  for (let node = 0; node < count; node++) if (state[node] === 0) walk(node);
  return edges.map((edge, k) => (turned[k] ? [edge[1], edge[0]] : edge));
}

/** Every node behind all that lead to it, and no further from those it leads to than it must. */
function layersOf(count: number, edges: readonly (readonly [number, number])[]): number[] {
  const order = topological(count, edges);
  const [out, into] = neighbours(count, edges);
  const layer = new Array<number>(count).fill(0);
  for (const node of order)
    for (const next of out[node]!) layer[next] = Math.max(layer[next]!, layer[node]! + 1);
  // A node that nothing leads to stands just before what it leads to.
  for (const node of order.reverse()) {
    if (into[node]!.length > 0 || out[node]!.length === 0) continue;
    layer[node] = Math.min(...out[node]!.map((next) => layer[next]!)) - 1;
  }
  return layer;
}

function topological(count: number, edges: readonly (readonly [number, number])[]): number[] {
  const [out, into] = neighbours(count, edges);
  const waiting = into.map((list) => list.length);
  const order: number[] = [];
  for (let node = 0; node < count; node++) if (waiting[node] === 0) order.push(node);
  for (let k = 0; k < order.length; k++)
    for (const next of out[order[k]!]!) if (--waiting[next]! === 0) order.push(next);
  return order;
}

function neighbours(count: number, edges: readonly (readonly [number, number])[]): [number[][], number[][]] {
  const out: number[][] = Array.from({ length: count }, () => []);
  const into: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of edges) {
    if (from === to) continue;
    out[from]!.push(to);
    into[to]!.push(from);
  }
  return [out, into];
}

/** More nodes without size than this would be no drawing any more: longer edges pass as they can. */
const MOST_BENDS = 20_000;

/** Edges as chains of nodes from layer to layer; nodes beyond `count` have no size. */
function chained(
  count: number,
  edges: readonly (readonly [number, number])[],
  layer: readonly number[],
): { chains: number[][]; depth: number[]; total: number } {
  const depth = [...layer];
  let total = count;
  const chains = edges.map(([from, to]) => {
    const between = Math.max(0, layer[to]! - layer[from]! - 1);
    if (total - count + between > MOST_BENDS) return [from, to];
    const inner = Array.from({ length: between }, (_, k) => {
      depth.push(layer[from]! + 1 + k);
      return total++;
    });
    return [from, ...inner, to];
  });
  return { chains, depth, total };
}

const SWEEPS = 12;

/** The nodes of each layer in an order in which few edges cross: by the mean place of their neighbours, in sweeps forwards and back; the best order is kept. */
function ordered(
  count: number,
  total: number,
  depth: readonly number[],
  chains: readonly (readonly number[])[],
): number[][] {
  const [out, into] = linksOf(total, chains);
  const ranks = firstOrder(count, total, depth, out, into);
  const place = new Float64Array(total);
  const note = (rank: readonly number[]): void => {
    for (const [k, node] of rank.entries()) place[node] = k;
  };
  for (const rank of ranks) note(rank);
  let best = ranks.map((rank) => [...rank]);
  let fewest = crossings(ranks, out, place);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const isForward = sweep % 2 === 0;
    const fixed = isForward ? into : out;
    for (const rank of isForward ? ranks : [...ranks].reverse()) {
      const mean = new Map(rank.map((node) => [node, meanOf(fixed[node]!, place) ?? place[node]!]));
      rank.sort((a, b) => mean.get(a)! - mean.get(b)! || place[a]! - place[b]!);
      note(rank);
    }
    const now = crossings(ranks, out, place);
    if (now >= fewest) continue;
    fewest = now;
    best = ranks.map((rank) => [...rank]);
  }
  return best;
}

function linksOf(total: number, chains: readonly (readonly number[])[]): [number[][], number[][]] {
  return neighbours(
    total,
    chains.flatMap((chain) => chain.slice(1).map((node, k) => [chain[k]!, node] as const)),
  );
}

/** In the order in which a walk in depth from the first nodes finds them: neighbours come together. */
function firstOrder(
  count: number,
  total: number,
  depth: readonly number[],
  out: readonly (readonly number[])[],
  into: readonly (readonly number[])[],
): number[][] {
  const ranks: number[][] = Array.from({ length: Math.max(0, ...depth) + 1 }, () => []);
  const seen = new Uint8Array(total);
  const stack: number[] = [];
  const roots = Array.from({ length: count }, (_, node) => node).sort(
    (a, b) => depth[a]! - depth[b]! || a - b,
  );
  for (const root of roots) {
    stack.push(root);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen[node]) continue;
      seen[node] = 1;
      ranks[depth[node]!]!.push(node);
      stack.push(...[...into[node]!].reverse(), ...[...out[node]!].reverse());
    }
  }
  return ranks;
}

function meanOf(nodes: readonly number[], place: ArrayLike<number>): number | undefined {
  if (nodes.length === 0) return undefined;
  let sum = 0;
  for (const node of nodes) sum += place[node]!;
  return sum / nodes.length;
}

/** How many pairs of edges between neighbouring layers cross, counted with a Fenwick tree (Barth, Mutzel and Jünger 2004). */
function crossings(
  ranks: readonly (readonly number[])[],
  out: readonly (readonly number[])[],
  place: ArrayLike<number>,
): number {
  let total = 0;
  for (const [k, rank] of ranks.entries()) {
    const size = ranks[k + 1]?.length ?? 0;
    if (size === 0) continue;
    const tree = new Int32Array(size + 1);
    let added = 0;
    for (const node of rank) {
      const targets = out[node]!.map((next) => place[next]!).sort((a, b) => a - b);
      for (const target of targets) {
        let before = 0;
        for (let i = target + 1; i > 0; i -= i & -i) before += tree[i]!;
        total += added - before;
      }
      for (const target of targets) {
        for (let i = target + 1; i <= size; i += i & -i) tree[i]!++;
        added++;
      }
    }
  }
  return total;
}

const ALIGNMENTS = 8;

/** Places across, around 0: nodes near the mean of their neighbours, in their order, and not nearer to each other than they may be. */
function placedAcross(
  ranks: readonly (readonly number[])[],
  total: number,
  chains: readonly (readonly number[])[],
  widthOf: (node: number) => number,
  gap: number,
): number[] {
  const [out, into] = linksOf(total, chains);
  const at = new Array<number>(total).fill(0);
  for (const rank of ranks) {
    let end = 0;
    for (const node of rank) {
      at[node] = end + widthOf(node) / 2;
      end += widthOf(node) + gap;
    }
    for (const node of rank) at[node]! -= (end - gap) / 2;
  }
  for (let round = 0; round < ALIGNMENTS; round++) {
    const isForward = round % 2 === 0;
    for (const rank of isForward ? ranks : [...ranks].reverse()) {
      const wished = rank.map((node) => {
        const [near, far] = isForward ? [into[node]!, out[node]!] : [out[node]!, into[node]!];
        return meanOf(near, at) ?? meanOf(far, at) ?? at[node]!;
      });
      const placed = apart(rank, wished, widthOf, gap);
      for (const [k, node] of rank.entries()) at[node] = placed[k]!;
    }
  }
  const low = Math.min(0, ...at.map((value, node) => value - widthOf(node) / 2));
  const high = Math.max(0, ...at.map((value, node) => value + widthOf(node) / 2));
  return at.map((value) => value - (low + high) / 2);
}

/**
 * The places nearest to those wished for, in the sense of least squares, that keep order and distances: neighbours that come too near are joined to blocks, each in the mean place of its members (as in the
 * pool-adjacent-violators algorithm).
 */
function apart(
  rank: readonly number[],
  wished: readonly number[],
  widthOf: (node: number) => number,
  gap: number,
): number[] {
  // Where each would be if all stood side by side, from 0 on.
  const offset: number[] = [];
  let end = 0;
  for (const node of rank) {
    offset.push(end + widthOf(node) / 2);
    end += widthOf(node) + gap;
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [k, wish] of wished.entries()) {
    let block = { sum: wish - offset[k]!, count: 1 };
    for (let before = blocks.at(-1); before; before = blocks.at(-1)) {
      if (before.sum / before.count <= block.sum / block.count) break;
      block = { sum: before.sum + block.sum, count: before.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  }
  const shifts = blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  return shifts.map((shift, k) => shift + offset[k]!);
}

/** Where the middles of layers are along. */
function layerPlaces(
  ranks: readonly (readonly number[])[],
  lengthOf: (node: number) => number,
  gap: number,
): number[] {
  const places: number[] = [];
  let end = 0;
  for (const rank of ranks) {
    const length = rank.reduce((most, node) => Math.max(most, lengthOf(node)), 0);
    places.push(end + length / 2);
    end += length + gap;
  }
  return places;
}
