/**
 * Orders for sparse LU: a row for every column so that the diagonal has no structural zero (maximum transversal, I. S. Duff,
 * ACM TOMS 7, 1981), and a symmetric order that keeps fill small (approximate minimum degree on a quotient
 * graph: Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17, 1996).
 */
import type { SparsePattern } from './sparse.ts';

/** The row matched to every column, or undefined where the matrix is singular for all values. Prefers the diagonal. */
export function transversal(pattern: SparsePattern): Int32Array | undefined {
  const { n, starts, rows } = pattern;
  const columnOf = new Int32Array(n).fill(-1);
  const rowOf = new Int32Array(n).fill(-1);
  for (let j = 0; j < n; j++) {
    if (!hasRow(pattern, j, j)) continue;
    columnOf[j] = j;
    rowOf[j] = j;
  }
  const cheap = Int32Array.from(starts.subarray(0, n));
  const next = new Int32Array(n);
  const visited = new Int32Array(n).fill(-1);
  const path = new Int32Array(n);
  for (let root = 0; root < n; root++) {
    if (rowOf[root]! >= 0) continue;
    if (!augment(root)) return undefined;
  }
  return rowOf;

  /** Depth-first search for an alternating path to a free row, looking ahead for one in every column that is reached. */
  function augment(root: number): boolean {
    let depth = 0;
    path[0] = root;
    visited[root] = root;
    next[root] = starts[root]!;
    while (depth >= 0) {
      const j = path[depth]!;
      const free = freeRow(j);
      if (free >= 0) {
        shift(depth, free);
        return true;
      }
      let deeper = -1;
      while (next[j]! < starts[j + 1]!) {
        const column = columnOf[rows[next[j]!]!]!;
        if (visited[column] !== root) {
          deeper = column;
          break;
        }
        next[j] = next[j]! + 1;
      }
      if (deeper < 0) {
        depth--;
        if (depth >= 0) next[path[depth]!] = next[path[depth]!]! + 1;
        continue;
      }
      visited[deeper] = root;
      next[deeper] = starts[deeper]!;
      path[++depth] = deeper;
    }
    return false;
  }

  /** A row of column j that no column has yet; every entry is asked once in all. */
  function freeRow(j: number): number {
    while (cheap[j]! < starts[j + 1]!) {
      const row = rows[cheap[j]!]!;
      cheap[j] = cheap[j]! + 1;
      if (columnOf[row]! < 0) return row;
    }
    return -1;
  }

  /** Gives `free` to the end of the path and to every column before it the row that its successor leaves. */
  function shift(depth: number, free: number): void {
    let row = free;
    for (let d = depth; d >= 0; d--) {
      const j = path[d]!;
      const left = rowOf[j]!;
      rowOf[j] = row;
      columnOf[row] = j;
      row = left;
    }
  }
}

function hasRow(pattern: SparsePattern, j: number, row: number): boolean {
  const { starts, rows } = pattern;
  for (let k = starts[j]!; k < starts[j + 1]!; k++) if (rows[k] === row) return true;
  return false;
}

/** Nodes with more neighbours than this multiple of sqrt(n) are ordered last and left out of the degrees. */
const DENSE_NODE = 10;

/**
 * A fill-reducing order of the symmetric pattern of B + B', where B has row `rowOf[j]` of the pattern on the diagonal of
 * column j. Returns the columns in the order of elimination.
 */
export function minimumDegree(pattern: SparsePattern, rowOf: Int32Array): Int32Array {
  const { n } = pattern;
  const adjacent = symmetricAdjacency(pattern, rowOf);
  const order = new Int32Array(n);
  let count = 0;
  /** Number of original nodes in a supervariable; 0 once merged or eliminated, and for dense nodes. */
  const size = new Int32Array(n).fill(1);
  const merged: number[][] = Array.from({ length: n }, () => []);
  const elementsOf: number[][] = Array.from({ length: n }, () => []);
  /** Variables of an element, undefined once absorbed. */
  const members: (number[] | undefined)[] = new Array(n).fill(undefined);
  const memberSize = new Int32Array(n);
  const degree = new Int32Array(n);
  const buckets = new Buckets(n);
  const mark = new Int32Array(n);
  let stamp = 0;
  const outside = new Int32Array(n);
  const outsideStamp = new Int32Array(n);

  const limit = Math.max(16, DENSE_NODE * Math.sqrt(n));
  const late: number[] = [];
  for (let i = 0; i < n; i++) {
    if (adjacent[i]!.length > limit) {
      size[i] = 0;
      late.push(i);
    }
  }
  for (let i = 0; i < n; i++) {
    if (size[i] === 0) continue;
    if (late.length > 0) adjacent[i] = adjacent[i]!.filter((k) => size[k]! > 0);
    degree[i] = adjacent[i]!.length;
    buckets.add(i, degree[i]!);
  }

  const active = n - late.length;
  while (count < active) {
    const pivot = buckets.takeSmallest();
    const front = newElement(pivot);
    emit(pivot);
    size[pivot] = 0;
    measureOutside(front);
    updateFront(pivot, front);
  }
  for (const i of late) order[count++] = i;
  return order;

  /** The variables that the elimination of `pivot` connects; the elements it touches are absorbed. */
  function newElement(pivot: number): number[] {
    stamp++;
    mark[pivot] = stamp;
    const front: number[] = [];
    const take = (i: number): void => {
      if (size[i]! === 0 || mark[i] === stamp) return;
      mark[i] = stamp;
      front.push(i);
      buckets.remove(i);
    };
    for (const i of adjacent[pivot]!) take(i);
    for (const e of elementsOf[pivot]!) {
      const inside = members[e];
      if (inside === undefined) continue;
      for (const i of inside) take(i);
      members[e] = undefined;
    }
    members[pivot] = front;
    adjacent[pivot] = [];
    elementsOf[pivot] = [];
    return front;
  }

  /** For every element next to the front, the size of its part outside the front. */
  function measureOutside(front: number[]): void {
    for (const i of front) {
      for (const e of elementsOf[i]!) {
        if (members[e] === undefined) continue;
        if (outsideStamp[e] !== stamp) {
          outsideStamp[e] = stamp;
          outside[e] = memberSize[e]!;
        }
        outside[e] = outside[e]! - size[i]!;
      }
    }
  }

  function updateFront(pivot: number, front: number[]): void {
    let frontSize = 0;
    for (const i of front) frontSize += size[i]!;
    const byHash = new Map<number, number[]>();
    for (const i of front) {
      let reach = 0;
      let hash = pivot;
      const elements = [pivot];
      for (const e of elementsOf[i]!) {
        if (members[e] === undefined) continue;
        // An element inside the front is absorbed as well.
        if (outside[e]! <= 0) continue;
        elements.push(e);
        reach += outside[e]!;
        hash += e;
      }
      elementsOf[i] = elements;
      const rest: number[] = [];
      for (const k of adjacent[i]!) {
        if (size[k]! === 0 || mark[k] === stamp) continue;
        rest.push(k);
        reach += size[k]!;
        hash += k;
      }
      adjacent[i] = rest;
      const inFront = frontSize - size[i]!;
      degree[i] = Math.min(active - count, degree[i]! + inFront, reach + inFront);
      const same = byHash.get(hash);
      if (same === undefined) byHash.set(hash, [i]);
      else same.push(i);
    }
    for (const group of byHash.values()) if (group.length > 1) mergeEqual(group);
    const remaining = front.filter((i) => size[i]! > 0);
    members[pivot] = remaining;
    memberSize[pivot] = frontSize;
    for (const i of remaining) buckets.add(i, Math.max(0, degree[i]!));
  }

  /** Variables with the same neighbours are eliminated together. */
  function mergeEqual(group: number[]): void {
    for (let a = 0; a < group.length; a++) {
      const i = group[a]!;
      if (size[i] === 0) continue;
      for (let b = a + 1; b < group.length; b++) {
        const k = group[b]!;
        if (size[k] === 0 || !sameSet(elementsOf[i]!, elementsOf[k]!) || !sameSet(adjacent[i]!, adjacent[k]!))
          continue;
        size[i] = size[i]! + size[k]!;
        degree[i] = degree[i]! - size[k]!;
        size[k] = 0;
        merged[i]!.push(k);
        adjacent[k] = [];
        elementsOf[k] = [];
      }
    }
  }

  function sameSet(a: number[], b: number[]): boolean {
    if (a.length !== b.length) return false;
    for (const x of a) if (!b.includes(x)) return false;
    return true;
  }

  /** Writes a supervariable with all that was merged into it. */
  function emit(pivot: number): void {
    const pending = [pivot];
    for (let i = pending.pop(); i !== undefined; i = pending.pop()) {
      order[count++] = i;
      for (const k of merged[i]!) pending.push(k);
    }
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

function symmetricAdjacency(pattern: SparsePattern, rowOf: Int32Array): number[][] {
  const { n, starts, rows } = pattern;
  const columnOf = new Int32Array(n);
  for (let j = 0; j < n; j++) columnOf[rowOf[j]!] = j;
  const adjacent: number[][] = Array.from({ length: n }, () => []);
  for (let j = 0; j < n; j++) {
    for (let k = starts[j]!; k < starts[j + 1]!; k++) {
      const i = columnOf[rows[k]!]!;
      if (i === j) continue;
      adjacent[i]!.push(j);
      adjacent[j]!.push(i);
    }
  }
  const seen = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    adjacent[i] = adjacent[i]!.filter((k) => {
      if (seen[k] === i) return false;
      seen[k] = i;
      return true;
    });
  }
  return adjacent;
}
