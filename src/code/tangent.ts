/**
 * Derivatives of straight-line code, forward: if `w := e(u, v)`, then `dw := ∂e/∂u du + ∂e/∂v dv`, where du is the
 * tangent of u. One run of the tangent code gives the product of a Jacobian with one direction. Columns of the
 * Jacobian that have no row in common can share a direction (Curtis, Powell and Reid 1974), and `colour` finds few groups
 * of such columns: greedily, columns with most conflicts first (Coleman and Moré 1983).
 *
 * A sparse pattern is compressed by columns: the rows of column j are `rows[starts[j]] … rows[starts[j + 1] - 1]`,
 * increasing.
 */
import { error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { type CallRule, total } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** `leaf := value`, in order of computation. */
export interface TangentDefinition {
  readonly leaf: Expr;
  readonly value: Expr;
}

export interface Pattern {
  /** Number of columns. */
  readonly n: number;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/**
 * The tangents of definitions, for given tangents of the seeds (leaves, usually). `tangents` holds those of the seeds
 * and afterwards those of all leaves that depend on them; a leaf without one has tangent zero. `fresh` names the
 * tangent of a leaf; where the tangent is itself a leaf or a constant, nothing new is defined.
 */
export function tangentCode(
  pool: Pool,
  calls: CallRule | undefined,
  definitions: readonly TangentDefinition[],
  tangents: Map<Expr, Expr>,
  fresh: (leaf: Expr) => Expr,
): TangentDefinition[] {
  const code: TangentDefinition[] = [];
  for (const { leaf, value } of definitions) {
    const tangent = total(pool, calls, value, (other) => tangents.get(other) ?? pool.zero);
    if (tangent.value === undefined) {
      throw new Failure('translate', [
        error('not-differentiable', `A derivative is needed where there is none: ${tangent.reason}.`),
      ]);
    }
    if (tangent.value === pool.zero) {
      tangents.delete(leaf);
    } else if (tangent.value.kind === 'ref' || tangent.value.kind === 'const') {
      tangents.set(leaf, tangent.value);
    } else {
      const name = fresh(leaf);
      code.push({ leaf: name, value: tangent.value });
      tangents.set(leaf, name);
    }
  }
  return code;
}

/** From the columns of every row (increasing) to compressed columns. */
export function compressColumns(byRow: readonly Int32Array[], n: number): Pattern {
  const starts = new Int32Array(n + 1);
  for (const columns of byRow) for (const j of columns) starts[j + 1]!++;
  for (let j = 0; j < n; j++) starts[j + 1]! += starts[j]!;
  const next = starts.slice();
  const rows = new Int32Array(starts[n]!);
  byRow.forEach((columns, i) => {
    for (const j of columns) rows[next[j]!++] = i;
  });
  return { n, starts, rows };
}

/** Groups of columns, no two of one group with a row in common; every column with entries is in one group. */
export function colour(pattern: Pattern): Int32Array[] {
  const { n, starts, rows } = pattern;
  const byRow = transpose(pattern);
  const colourOf = new Int32Array(n).fill(-1);
  const seen = new Int32Array(n + 1).fill(-1);
  let count = 0;
  for (const j of order(pattern, byRow)) {
    for (let e = starts[j]!; e < starts[j + 1]!; e++) {
      const r = rows[e]!;
      for (let k = byRow.starts[r]!; k < byRow.starts[r + 1]!; k++) {
        const taken = colourOf[byRow.rows[k]!]!;
        if (taken >= 0) seen[taken] = j;
      }
    }
    let free = 0;
    while (seen[free] === j) free++;
    colourOf[j] = free;
    count = Math.max(count, free + 1);
  }
  return group(colourOf, count);
}

/** Columns that are not empty, those with most conflicts first; conflicts through several rows count several times. */
function order({ n, starts, rows }: Pattern, byRow: Pattern): Int32Array {
  const conflicts = new Float64Array(n);
  const columns: number[] = [];
  for (let j = 0; j < n; j++) {
    if (starts[j] === starts[j + 1]) continue;
    columns.push(j);
    for (let e = starts[j]!; e < starts[j + 1]!; e++) {
      conflicts[j]! += byRow.starts[rows[e]! + 1]! - byRow.starts[rows[e]!]! - 1;
    }
  }
  return Int32Array.from(columns).sort((a, b) => conflicts[b]! - conflicts[a]! || a - b);
}

/** The same pattern compressed by rows: its `n` counts rows, its `rows` are columns. */
function transpose({ n, starts, rows }: Pattern): Pattern {
  let m = 0;
  for (const r of rows) m = Math.max(m, r + 1);
  const columns: Int32Array[] = [];
  for (let j = 0; j < n; j++) columns.push(rows.subarray(starts[j], starts[j + 1]));
  return compressColumns(columns, m);
}

function group(colourOf: Int32Array, count: number): Int32Array[] {
  const groups: number[][] = Array.from({ length: count }, () => []);
  colourOf.forEach((colour, j) => {
    if (colour >= 0) groups[colour]!.push(j);
  });
  return groups.map((columns) => Int32Array.from(columns));
}
