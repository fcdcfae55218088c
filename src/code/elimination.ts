/**
 * A linear system written out: once numbers have told which pivots are good, elimination with these pivots is a fixed sequence of assignments, and as code of
 * the model it needs neither indices nor copies. Coefficients that are constants (most of those of mechanical and electrical systems are 1 or -1) vanish from it.
 *
 *     factor    L and U from the nonzeros of the matrix
 *     solve     the solution of A y = r for the residuals
 *     check     by how much a residual exceeds the rounding errors of its terms, the largest of all; not above zero where none does
 *     trust     the same for terms of unknowns that have at least their nominal sizes, with a share of them that no good pivots leave
 *
 * Whether the pivots still are good is not looked at while eliminating: residuals tell, whatever was lost.
 */
import { pulse } from '../diagnostic/pulse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { PlanContext, SystemPlan } from './plan.ts';
import type { Routine, SlotAssignment } from './unit.ts';

/** A column and the row of its pivot; eliminated in the order in which they stand. */
export interface Pivot {
  readonly row: number;
  readonly column: number;
}

export interface Elimination {
  /** By the numbers of `elimination`. */
  readonly routines: readonly Routine[];
  readonly slotOf: (leaf: Expr) => number;
  /** By unknown: the slot of its part of the solution. */
  readonly solution: Int32Array;
  /** By unknown: the slot in which its nominal size is expected. */
  readonly nominal: Int32Array;
  /** The slots of what `check` and `trust` find. */
  readonly excess: number;
  readonly distrust: number;
}

/** The routines. */
export const elimination = { factor: 0, solve: 1, check: 2, trust: 3 } as const;

/** What residuals may be, as shares of their terms. */
export interface Shares {
  readonly rounding: number;
  readonly trusted: number;
}

/** Code for a linear system. To be called within `scratch`. */
export function planElimination(
  context: PlanContext,
  plan: SystemPlan,
  pivots: readonly Pivot[],
  shares: Shares,
): Elimination {
  return new Eliminator(context, plan).plan(pivots, shares);
}

type Row = Map<number, Expr>;

class Eliminator {
  private readonly slots = new Map<Expr, number>();
  private readonly leaves = new Map<number, Expr>();
  private body: SlotAssignment[] = [];

  constructor(
    private readonly context: PlanContext,
    private readonly system: SystemPlan,
  ) {}

  plan(pivots: readonly Pivot[], { rounding, trusted }: Shares): Elimination {
    const { pool, memory } = this.context;
    const { factor, solve, solution } = this.eliminate(pivots);
    const unknowns = Array.from(this.system.unknowns, (slot) => this.leafAt(slot));
    const sizes = unknowns.map((leaf) => pool.apply('abs', leaf));
    const excess = this.excess(rounding, sizes);
    const check = this.take();
    const nominal = Int32Array.from(unknowns, () => memory.reserve(1));
    const larger = sizes.map((size, j) => this.assigned(pool.apply('max', size, this.leafAt(nominal[j]!))));
    const distrust = this.excess(trusted, larger);
    const bodies = { factor, solve, check, trust: this.take() };
    const routines = Object.entries(bodies).map(([name, body]) => ({ name, body }));
    return { routines, slotOf: (leaf) => this.slots.get(leaf)!, solution, nominal, excess, distrust };
  }

  private eliminate(pivots: readonly Pivot[]) {
    const { pool } = this.context;
    const rows = this.rows();
    const rowsOf = columnsOf(rows);
    const lower: { readonly row: number; readonly factor: Expr }[][] = [];
    const inverses: Expr[] = [];
    for (const { row, column } of pivots) {
      pulse();
      const top = rows[row]!;
      const inverse = this.keep(pool.div(pool.one, top.get(column)!));
      for (const [j, value] of top) if (j !== column) top.set(j, this.keep(value));
      const below: { row: number; factor: Expr }[] = [];
      for (const j of top.keys()) rowsOf[j]!.delete(row);
      for (const i of rowsOf[column]!) {
        const factor = this.keep(pool.mul(rows[i]!.get(column)!, inverse));
        rows[i]!.delete(column);
        below.push({ row: i, factor });
        for (const [j, value] of top) {
          if (j === column) continue;
          const before = rows[i]!.get(j);
          const product = pool.mul(factor, value);
          rows[i]!.set(j, before ? pool.sub(before, product) : pool.neg(product));
          rowsOf[j]!.add(i);
        }
      }
      rowsOf[column]!.clear();
      lower.push(below);
      inverses.push(inverse);
    }
    const factor = this.take();
    const right: Expr[] = Array.from(this.system.residuals, (slot) => this.leafAt(slot));
    for (const [k, { row }] of pivots.entries()) {
      right[row] = this.keep(right[row]!);
      for (const { row: i, factor } of lower[k]!)
        right[i] = pool.sub(right[i]!, pool.mul(factor, right[row]!));
    }
    const solution = new Int32Array(pivots.length);
    const found = new Map<number, Expr>();
    for (let k = pivots.length - 1; k >= 0; k--) {
      const { row, column } = pivots[k]!;
      let sum = right[row]!;
      for (const [j, value] of rows[row]!)
        if (j !== column) sum = pool.sub(sum, pool.mul(value, found.get(j)!));
      const leaf = this.assigned(pool.mul(sum, inverses[k]!));
      found.set(column, leaf);
      solution[column] = this.slots.get(leaf)!;
    }
    return { factor, solve: this.take(), solution };
  }

  /** The slot of the largest difference between a residual and this share of its terms, for unknowns of these sizes. */
  private excess(share: number, sizes: readonly Expr[]): number {
    const { pool } = this.context;
    let largest: Expr | undefined;
    for (const [i, row] of this.rows().entries()) {
      let sum: Expr = pool.zero;
      for (const [j, value] of row) sum = pool.add(sum, pool.mul(pool.apply('abs', value), sizes[j]!));
      const residual = pool.apply('abs', this.leafAt(this.system.residuals[i]!));
      const excess = pool.sub(residual, pool.mul(pool.const(share), sum));
      largest = this.assigned(largest ? pool.apply('max', largest, excess) : excess);
    }
    return this.slots.get(largest!)!;
  }

  /** The matrix by rows. */
  private rows(): Row[] {
    const { starts, rows, nonzeros, coefficients, unknowns } = this.system;
    const matrix = Array.from(unknowns, (): Row => new Map());
    for (let j = 0; j < unknowns.length; j++) {
      for (let k = starts[j]!; k < starts[j + 1]!; k++) {
        const value = coefficients[k]!;
        matrix[rows[k]!]!.set(j, value.kind === 'const' ? value : this.leafAt(nonzeros[k]!));
      }
    }
    return matrix;
  }

  private leafAt(slot: number): Expr {
    const known = this.leaves.get(slot);
    if (known) return known;
    const leaf = this.context.temporaries.fresh();
    this.leaves.set(slot, leaf);
    this.slots.set(leaf, slot);
    return leaf;
  }

  /** A value that is read several times has a slot, unless it is somewhere already. */
  private keep(value: Expr): Expr {
    return value.kind === 'const' || value.kind === 'ref' ? value : this.assigned(value);
  }

  private assigned(value: Expr): Expr {
    const slot = this.context.memory.reserve(1);
    this.body.push({ slot, value });
    return this.leafAt(slot);
  }

  private take(): SlotAssignment[] {
    const { body } = this;
    this.body = [];
    return body;
  }
}

/** By column: the rows in which it has an entry. */
function columnsOf(rows: readonly Row[]): Set<number>[] {
  const columns = rows.map(() => new Set<number>());
  for (const [i, row] of rows.entries()) for (const j of row.keys()) columns[j]!.add(i);
  return columns;
}
