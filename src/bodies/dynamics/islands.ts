/**
 * Islands: trees of links that closures tie together. What is in one island does not act on what is in another, nor does the world, which nothing moves; so what closures
 * ask for is found for each island alone, and many bodies that touch one ground cost no more than each of them.
 */
import { Factors } from './linear.ts';
import type { Tree } from './tree.ts';

/** Of each pair of links, in which the number of links is the world, the number of its island: that of its first pair. */
export function islandsOf(
  { n, root }: Pick<Tree, 'n' | 'root'>,
  pairs: readonly { readonly a: number; readonly b: number }[],
): Int32Array {
  const leaders = root.slice();
  const leaderOf = (link: number): number => {
    let at = root[link]!;
    while (leaders[at] !== at) at = leaders[at] = leaders[leaders[at]!]!;
    return at;
  };
  for (const { a, b } of pairs) if (a < n && b < n) leaders[leaderOf(a)] = leaderOf(b);
  const first = new Map<number, number>();
  return Int32Array.from(pairs, ({ a, b }, k) => {
    const leader = leaderOf(a < n ? a : b);
    if (!first.has(leader)) first.set(leader, k);
    return first.get(leader)!;
  });
}

/** Closures of one island, and which of their rows depend on each other. */
export class Island {
  /** Its trees, by their first links; and all of their links, rising. */
  readonly roots: ReadonlySet<number>;
  readonly links: Int32Array;
  /** Of its free joints: places among the speeds of all free joints. */
  readonly columns: Int32Array;
  /** Most rows that there can be. */
  readonly most: number;
  /** The rows that act now, by their number among all; `count` of them. */
  readonly rows: Int32Array;
  count = 0;
  /** Which rows are independent, in numbers of the island, and combinations of rows that are zero, one after the other. */
  readonly factors: Factors;
  readonly nulls: Float64Array;
  readonly #matrix: Float64Array;
  readonly #right: Float64Array;
  readonly #step: Float64Array;

  constructor(
    { n, root, vAt, driven }: Tree,
    tied: readonly number[],
    /** Of each of its closures, how many it can have. */
    rows: readonly number[],
  ) {
    this.roots = new Set(tied.flatMap((k) => (k < n ? [root[k]!] : [])));
    const [links, columns]: [number[], number[]] = [[], []];
    for (let k = 0, column = 0; k < n; k++) {
      const width = driven[k] ? 0 : vAt[k + 1]! - vAt[k]!;
      if (this.roots.has(root[k]!)) {
        links.push(k);
        for (let i = 0; i < width; i++) columns.push(column + i);
      }
      column += width;
    }
    this.links = Int32Array.from(links);
    this.columns = Int32Array.from(columns);
    this.most = rows.reduce((sum, count) => sum + count, 0);
    const width = this.columns.length;
    this.rows = new Int32Array(this.most);
    this.factors = new Factors(this.most, width);
    this.nulls = new Float64Array(this.most * this.most);
    this.#matrix = new Float64Array(this.most * width);
    this.#right = new Float64Array(this.most);
    this.#step = new Float64Array(width);
  }

  /** Rows of a matrix that has `width` columns, one for each speed of a free joint; tolerances are those of `Factors`. */
  factor(matrix: Float64Array, width: number, tolerance: number, least: number): void {
    const { columns, rows, count, factors, nulls } = this;
    const n = columns.length;
    for (let i = 0; i < count; i++)
      for (let j = 0; j < n; j++) this.#matrix[i * n + j] = matrix[rows[i]! * width + columns[j]!]!;
    factors.factor(this.#matrix, count, tolerance, least);
    for (let which = 0; which < count - factors.rank; which++)
      factors.dependence(which, nulls, which * count);
  }

  /** The shortest x, in the places of `columns`, whose products with the independent rows are `right`; both among all. */
  shortest(right: Float64Array, x: Float64Array): void {
    const { columns, rows, count } = this;
    for (let i = 0; i < count; i++) this.#right[i] = right[rows[i]!]!;
    this.factors.shortest(this.#right, this.#step);
    for (let j = 0; j < columns.length; j++) x[columns[j]!] = this.#step[j]!;
  }
}
