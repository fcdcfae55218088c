/**
 * Orders for sparse LU: a row for every column so that the diagonal has no structural zero (maximum
 * transversal, I. S. Duff, ACM TOMS 7, 1981), and a symmetric order that keeps fill small (approximate
 * minimum degree on a quotient graph: Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17, 1996).
 */
import { Matching } from '../collections/matching.ts';
import type { SparsePattern } from '../collections/pattern.ts';
import { pulse } from '../diagnostic/pulse.ts';

/**
 * The row matched to every column, or undefined where the matrix is singular for all values. Prefers the
 * diagonal.
 */
export function transversal(pattern: SparsePattern): Int32Array | undefined {
  const { n, starts, rows } = pattern;
  const matching = new Matching({ rows: n, columns: n, starts, targets: rows });
  for (let j = 0; j < n; j++) if (hasRow(pattern, j, j)) matching.match(j, j);
  for (let j = 0; j < n; j++) if (!matching.augment(j)) return undefined;
  return matching.columnOf;
}

function hasRow(pattern: SparsePattern, j: number, row: number): boolean {
  const { starts, rows } = pattern;
  for (let k = starts[j]!; k < starts[j + 1]!; k++) if (rows[k] === row) return true;
  return false;
}

/** Nodes with more neighbours than this multiple of sqrt(n) are ordered last and left out of the degrees. */
const DENSE_NODE = 10;
const DENSE_LEAST = 16;

/**
 * A fill-reducing order of the symmetric pattern of B + B', where B has row `rowOf[j]` of the pattern on the
 * diagonal of column j. Returns the columns in the order of elimination.
 */
export function minimumDegree(pattern: SparsePattern, rowOf: Int32Array): Int32Array {
  const graph = symmetricAdjacency(pattern, rowOf);
  if (isFull(graph)) return Int32Array.from({ length: pattern.n }, (_, j) => j);
  return new QuotientGraph(listsOf(graph)).eliminateAll();
}

/** Neighbours of node i: `nodes[starts[i] .. starts[i + 1])`. */
interface Graph {
  readonly starts: Int32Array;
  readonly nodes: Int32Array;
}

/**
 * Whether all places between the first neighbour of a node and the node itself are neighbours too, as in matrices with few full diagonals. Fill stays inside
 * this envelope (George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, section 4.2): the order as it is has none.
 */
function isFull({ starts, nodes }: Graph): boolean {
  for (let i = 0; i + 1 < starts.length; i++) {
    let [first, before] = [i, 0];
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      if (nodes[k]! > i) continue;
      before++;
      if (nodes[k]! < first) first = nodes[k]!;
    }
    if (before !== i - first) return false;
  }
  return true;
}

/**
 * The graph during elimination. A node is a variable, which stands for all that were merged into it, or, once
 * eliminated, an element, which stands for the clique of its members. Neighbours of a variable are the
 * variables in `adjacent` and the members of the elements in `elements`.
 */
class QuotientGraph {
  private readonly n: number;
  private readonly elements: number[][];
  /** Members of an element; undefined for variables and absorbed elements. */
  private readonly members: (number[] | undefined)[];
  private readonly memberSize: Int32Array;
  /** Original nodes in a variable; 0 once it is merged, eliminated or left to the end. */
  private readonly size: Int32Array;
  private readonly merged: number[][];
  private readonly degree: Int32Array;
  private readonly buckets: Buckets;
  private readonly order: Int32Array;
  private count = 0;
  private readonly active: number;
  private readonly late: number[] = [];
  /** `mark[i] === stamp`: i is in the front of the present pivot. */
  private readonly mark: Int32Array;
  private stamp = 0;
  /** Size of the part of an element outside the front, valid where `outsideStamp` is the present stamp. */
  private readonly outside: Int32Array;
  private readonly outsideStamp: Int32Array;
  private readonly seen: Int32Array;
  private seenStamp = 0;

  constructor(private readonly adjacent: number[][]) {
    const n = adjacent.length;
    this.n = n;
    this.elements = Array.from({ length: n }, () => []);
    this.members = Array.from({ length: n }, () => undefined);
    this.memberSize = new Int32Array(n);
    this.size = new Int32Array(n).fill(1);
    this.merged = Array.from({ length: n }, () => []);
    this.degree = new Int32Array(n);
    this.buckets = new Buckets(n);
    this.order = new Int32Array(n);
    this.mark = new Int32Array(n);
    this.outside = new Int32Array(n);
    this.outsideStamp = new Int32Array(n);
    this.seen = new Int32Array(n);
    this.setAsideDense();
    this.active = n - this.late.length;
  }

  eliminateAll(): Int32Array {
    while (this.count < this.active) {
      pulse();
      const pivot = this.buckets.takeSmallest();
      const front = this.newElement(pivot);
      this.emit(pivot);
      this.measureOutside(front);
      this.updateFront(pivot, front);
    }
    for (const i of this.late) this.order[this.count++] = i;
    return this.order;
  }

  private setAsideDense(): void {
    const { adjacent, size, late, degree } = this;
    const limit = Math.max(DENSE_LEAST, DENSE_NODE * Math.sqrt(this.n));
    for (let i = 0; i < this.n; i++) {
      if (adjacent[i]!.length <= limit) continue;
      size[i] = 0;
      late.push(i);
    }
    for (let i = 0; i < this.n; i++) {
      if (size[i] === 0) continue;
      if (late.length > 0) adjacent[i] = adjacent[i]!.filter((k) => size[k]! > 0);
      degree[i] = adjacent[i]!.length;
      this.buckets.add(i, degree[i]!);
    }
  }

  /** The variables that the elimination of `pivot` connects; the elements it touches are absorbed. */
  private newElement(pivot: number): number[] {
    const { adjacent, elements, members, mark } = this;
    mark[pivot] = ++this.stamp;
    const front: number[] = [];
    for (const i of adjacent[pivot]!) this.take(i, front);
    for (const e of elements[pivot]!) {
      const inside = members[e];
      if (inside === undefined) continue;
      for (const i of inside) this.take(i, front);
      members[e] = undefined;
    }
    members[pivot] = front;
    adjacent[pivot] = [];
    elements[pivot] = [];
    return front;
  }

  private take(i: number, front: number[]): void {
    if (this.size[i] === 0 || this.mark[i] === this.stamp) return;
    this.mark[i] = this.stamp;
    front.push(i);
    this.buckets.remove(i);
  }

  /** For every element next to the front, the size of its part outside the front. */
  private measureOutside(front: number[]): void {
    const { elements, members, memberSize, outside, outsideStamp, size, stamp } = this;
    for (const i of front) {
      for (const e of elements[i]!) {
        if (members[e] === undefined) continue;
        if (outsideStamp[e] !== stamp) {
          outsideStamp[e] = stamp;
          outside[e] = memberSize[e]!;
        }
        outside[e] = outside[e]! - size[i]!;
      }
    }
  }

  /** New lists and degrees of the variables in the front; equal ones are merged. */
  private updateFront(pivot: number, front: number[]): void {
    const { size, degree, members, memberSize, buckets } = this;
    let frontSize = 0;
    for (const i of front) frontSize += size[i]!;
    const byHash = new Map<number, number[]>();
    for (const i of front) {
      const hash = this.prune(i, pivot, frontSize - size[i]!);
      const same = byHash.get(hash);
      if (same === undefined) byHash.set(hash, [i]);
      else same.push(i);
    }
    for (const group of byHash.values()) if (group.length > 1) this.mergeEqual(group);
    const remaining = front.filter((i) => size[i]! > 0);
    members[pivot] = remaining;
    memberSize[pivot] = frontSize;
    for (const i of remaining) buckets.add(i, Math.max(0, degree[i]!));
  }

  /**
   * Drops from the lists of i what the new element covers, sets the bound of its degree, and returns a hash
   * of the lists.
   */
  private prune(i: number, pivot: number, inFront: number): number {
    const { adjacent, elements, members, outside, size, mark, degree, stamp } = this;
    let reach = 0;
    let hash = pivot;
    const kept = [pivot];
    for (const e of elements[i]!) {
      if (members[e] === undefined || outside[e]! <= 0) continue;
      kept.push(e);
      reach += outside[e]!;
      hash += e;
    }
    elements[i] = kept;
    const rest: number[] = [];
    for (const k of adjacent[i]!) {
      if (size[k] === 0 || mark[k] === stamp) continue;
      rest.push(k);
      reach += size[k]!;
      hash += k;
    }
    adjacent[i] = rest;
    degree[i] = Math.min(this.active - this.count, degree[i]! + inFront, reach + inFront);
    return hash;
  }

  /** Variables with the same neighbours are eliminated together. */
  private mergeEqual(group: number[]): void {
    const { size, degree, merged, adjacent, elements, seen } = this;
    for (let a = 0; a < group.length; a++) {
      const i = group[a]!;
      if (size[i] === 0) continue;
      const stamp = ++this.seenStamp;
      for (const e of elements[i]!) seen[e] = stamp;
      for (const k of adjacent[i]!) seen[k] = stamp;
      for (let b = a + 1; b < group.length; b++) {
        const other = group[b]!;
        if (size[other] === 0 || !this.sameLists(i, other, stamp)) continue;
        size[i] = size[i]! + size[other]!;
        degree[i] = degree[i]! - size[other]!;
        size[other] = 0;
        merged[i]!.push(other);
        adjacent[other] = [];
        elements[other] = [];
      }
    }
  }

  /** Whether the lists of `other` hold what is marked as seen, the lists of i. */
  private sameLists(i: number, other: number, stamp: number): boolean {
    const { adjacent, elements, seen } = this;
    if (adjacent[i]!.length !== adjacent[other]!.length || elements[i]!.length !== elements[other]!.length)
      return false;
    for (const e of elements[other]!) if (seen[e] !== stamp) return false;
    for (const k of adjacent[other]!) if (seen[k] !== stamp) return false;
    return true;
  }

  /** Writes a variable with all that was merged into it. */
  private emit(pivot: number): void {
    const pending = [pivot];
    for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
      this.order[this.count++] = i;
      for (const k of this.merged[i]!) pending.push(k);
    }
    this.size[pivot] = 0;
  }
}

/** Nodes by degree, in doubly linked lists. */
class Buckets {
  private readonly head: Int32Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  private readonly degree: Int32Array;
  private smallest = 0;

  constructor(n: number) {
    this.head = new Int32Array(n + 1).fill(-1);
    this.next = new Int32Array(n);
    this.previous = new Int32Array(n);
    this.degree = new Int32Array(n).fill(-1);
  }

  add(i: number, degree: number): void {
    const first = this.head[degree]!;
    this.next[i] = first;
    this.previous[i] = -1;
    if (first >= 0) this.previous[first] = i;
    this.head[degree] = i;
    this.degree[i] = degree;
    if (degree < this.smallest) this.smallest = degree;
  }

  remove(i: number): void {
    const degree = this.degree[i]!;
    if (degree < 0) return;
    const before = this.previous[i]!;
    const after = this.next[i]!;
    if (before >= 0) this.next[before] = after;
    else this.head[degree] = after;
    if (after >= 0) this.previous[after] = before;
    this.degree[i] = -1;
  }

  takeSmallest(): number {
    while (this.head[this.smallest]! < 0) this.smallest++;
    const i = this.head[this.smallest]!;
    this.remove(i);
    return i;
  }
}

function symmetricAdjacency(pattern: SparsePattern, rowOf: Int32Array): Graph {
  const { n, starts, rows } = pattern;
  const columnOf = new Int32Array(n);
  for (let j = 0; j < n; j++) columnOf[rowOf[j]!] = j;
  const ends = new Int32Array(n + 1);
  const each = (visit: (i: number, j: number) => void): void => {
    for (let j = 0; j < n; j++) {
      for (let k = starts[j]!; k < starts[j + 1]!; k++) {
        const i = columnOf[rows[k]!]!;
        if (i === j) continue;
        visit(i, j);
        visit(j, i);
      }
    }
  };
  each((i) => {
    ends[i + 1]!++;
  });
  for (let i = 0; i < n; i++) ends[i + 1]! += ends[i]!;
  const nodes = new Int32Array(ends[n]!);
  const next = ends.slice();
  each((i, j) => {
    nodes[next[i]!++] = j;
  });
  return withoutRepetition({ starts: ends, nodes });
}

function withoutRepetition({ starts, nodes }: Graph): Graph {
  const n = starts.length - 1;
  const seen = new Int32Array(n).fill(-1);
  const own = new Int32Array(n + 1);
  let count = 0;
  for (let i = 0; i < n; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = nodes[k]!;
      if (seen[j] === i) continue;
      seen[j] = i;
      nodes[count++] = j;
    }
    own[i + 1] = count;
  }
  return { starts: own, nodes: nodes.subarray(0, count) };
}

function listsOf({ starts, nodes }: Graph): number[][] {
  return Array.from({ length: starts.length - 1 }, (_, i) => [...nodes.subarray(starts[i]!, starts[i + 1]!)]);
}
