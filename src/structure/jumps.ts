/**
 * The equations for values after a change to a mode. With the offsets c, d of the mode, call the level of x_j^(k) the
 * number d_j - k: leading variables (level 0) may contain a Dirac impulse, values of level 1 may then jump, all below are
 * continuous. Equations that the mode does not differentiate (c_i = 0) are balances: integrated over the instant they say
 * that the jumps and impulse weights, multiplied by the leading Jacobian, add up to zero. Constraints (c_i >= 1) hold after
 * the change in the derivative that fixes level 1.
 *
 * Variables that are `free` are new and bring no value of their own; their left limits are mere guesses.
 */
import { leaves, substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { incidenceOf } from './incidence.ts';
import { Matching } from './matching.ts';
import { Numbering } from './numbering.ts';
import type { SystemEquation } from './sort.ts';
import type { SortedMode } from './sorted.ts';

/** An unknown and the leaf that stands for its left limit. */
export interface Jump {
  readonly unknown: Ref;
  readonly left: Ref;
}

export interface JumpEquations {
  readonly equations: readonly SystemEquation[];
  /** Guesses that complete the system. */
  readonly optional: readonly SystemEquation[];
  readonly unknowns: readonly Ref[];
  /** Variables of level 1. */
  readonly levelOne: readonly Jump[];
  /** Weights of impulses by the symbol that has them. */
  readonly weights: readonly { readonly symbol: number; readonly leaf: Ref }[];
}

/** The system for jumps and weights, of what can jump; `fresh` makes new leaves. */
export function jumpEquations(
  pool: Pool,
  sorted: SortedMode,
  free: ReadonlySet<number>,
  fresh: () => Ref,
): JumpEquations {
  const { variables, equations, leading } = sorted;
  const columnOf = new Numbering(variables);
  const moving = affected(sorted, free, columnOf);
  const levelOne: Jump[] = [];
  const weights: { symbol: number; leaf: Ref }[] = [];
  /** By column: the jump or weight as an expression; undefined for new variables, and where there is no jump. */
  const change = variables.map(({ symbol, d }, column): Expr | undefined => {
    if (!moving.columns[column]) return undefined;
    if (d === 0) {
      const leaf = fresh();
      weights.push({ symbol, leaf });
      return leaf;
    }
    const unknown = pool.ref(symbol, d - 1);
    const left = fresh();
    levelOne.push({ unknown, left });
    return free.has(symbol) ? undefined : pool.sub(unknown, left);
  });
  const leftOf = new Map<Expr, Expr>(levelOne.map(({ unknown, left }) => [unknown, left]));
  const rows: SystemEquation[] = [];
  for (const [i, { index, c, residuals }] of equations.entries()) {
    if (!moving.rows[i]) continue;
    if (c > 0) {
      rows.push({ left: residuals[c - 1]!, right: pool.zero, index });
      continue;
    }
    let balance: Expr = pool.zero;
    for (const { symbol, value } of leading[i]!) {
      const jump = change[columnOf.of(symbol)];
      if (!jump) continue;
      const coefficient = substitute(pool, value, (leaf) => leftOf.get(leaf));
      balance = pool.add(balance, pool.mul(coefficient, jump));
    }
    rows.push({ left: balance, right: pool.zero, index });
  }
  return {
    equations: rows.filter((row) => leaves(row.left).length > 0),
    optional: levelOne
      .filter(({ unknown }) => free.has(unknown.symbol))
      .map(({ unknown, left }) => ({ left: unknown, right: left, index: equations.length })),
    unknowns: [...levelOne.map((l) => l.unknown), ...weights.map((w) => w.leaf)],
    levelOne,
    weights,
  };
}

/**
 * Values of new variables on one level below that of jumps. What existed is continuous there, so the constraints give
 * values to what is new: a body that appears is where it is attached. All equations are optional: of constraints that are
 * too many some give the values.
 */
export function placeEquations(
  pool: Pool,
  { variables, equations }: SortedMode,
  free: ReadonlySet<number>,
  level: number,
  fresh: () => Ref,
): { readonly places: readonly Jump[]; readonly optional: readonly SystemEquation[] } {
  const places = variables
    .filter(({ symbol, d }) => d >= level && free.has(symbol))
    .map(({ symbol, d }) => ({ unknown: pool.ref(symbol, d - level), left: fresh() }));
  const wanted = new Set<Expr>(places.map((place) => place.unknown));
  const constraints = equations.flatMap(({ index, c, residuals }) => {
    if (c < level) return [];
    const left = residuals[c - level]!;
    return leaves(left).some((leaf) => wanted.has(leaf)) ? [{ left, right: pool.zero, index }] : [];
  });
  const index = equations.length;
  const starts = places.map(({ unknown, left }) => ({ left: unknown, right: left, index }));
  return { places, optional: [...constraints, ...starts] };
}

/** By equation and by variable: whether it takes part in jumps. */
interface Affected {
  readonly rows: Uint8Array;
  readonly columns: Uint8Array;
}

/**
 * The part of a mode in which something may jump. Match every equation with a variable of its leading part. An equation
 * that is no constraint and contains no other variable that may jump says that its own variable does not. So it is enough to go from the
 * constraints to the equations that contain their variables, and so on; what is not reached is a homogeneous system of its own.
 * Where variables are new, all may jump.
 */
function affected(sorted: SortedMode, free: ReadonlySet<number>, columnOf: Numbering): Affected {
  const { variables, equations } = sorted;
  const columnsOf = leadingColumns(sorted, columnOf);
  const matching = new Matching(incidenceOf(columnsOf, variables.length)).maximise();
  if (free.size > 0 || matching.size < variables.length) {
    const all = new Uint8Array(variables.length).fill(1);
    return { rows: all, columns: all };
  }
  const rowsOf: number[][] = variables.map(() => []);
  for (const [i, columns] of columnsOf.entries()) for (const j of columns) rowsOf[j]!.push(i);
  const rows = new Uint8Array(equations.length);
  const columns = new Uint8Array(variables.length);
  const open: number[] = [];
  const reach = (row: number): void => {
    if (rows[row]) return;
    rows[row] = 1;
    open.push(row);
  };
  for (const [i, { c }] of equations.entries()) if (c > 0) reach(i);
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    const column = matching.columnOf[row]!;
    columns[column] = 1;
    rowsOf[column]!.forEach(reach);
  }
  return { rows, columns };
}

/** Columns that jumps and impulses in an equation belong to. */
function leadingColumns({ variables, equations, leading }: SortedMode, columnOf: Numbering): number[][] {
  return equations.map(({ c, residuals }, i) => {
    const columns = leading[i]!.map(({ symbol }) => columnOf.of(symbol));
    if (c === 0) return columns;
    const all = new Set(columns);
    for (const leaf of leaves(residuals[c - 1]!)) {
      if (leaf.kind !== 'ref') continue;
      const column = columnOf.of(leaf.symbol);
      if (column >= 0 && variables[column]!.d === leaf.order + 1) all.add(column);
    }
    return [...all];
  });
}
