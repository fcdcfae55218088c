/**
 * Linear systems solved by formula: elimination with expressions. Pivots are ones where there are any, so that most
 * unknowns vanish without a division, and what remains reads like the law behind it: (j1*w1 + j2*w2)/(j1 + j2).
 */
import { nodesOf } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { linear } from '../symbolic/solve.ts';

/** Formulas with more nodes than this are no use to anybody. */
const longest = 2000;

/** `sum of coefficients[k]*unknown k = right`; coefficients of zero are left out. */
interface Row {
  readonly coefficients: Map<number, Expr>;
  right: Expr;
}

/**
 * Values at which all `residuals` vanish, in the order of `unknowns`; undefined where the residuals are not linear, the system is
 * too large, or the formulas grow too long. `isPivot` says which coefficients never vanish; what cannot be eliminated
 * by these is solved by determinants, so that nothing is divided by but the determinant of the whole.
 */
export function solveLinear(
  pool: Pool,
  residuals: readonly Expr[],
  unknowns: readonly Ref[],
  isPivot: (expr: Expr) => boolean,
): Expr[] | undefined {
  const rows: Row[] = [];
  for (const residual of residuals) {
    const row = rowOf(pool, residual, unknowns);
    if (!row) return undefined;
    rows.push(row);
  }
  const order: { row: Row; unknown: number }[] = [];
  const open = new Set(rows);
  for (let pivot = bestPivot(open, isPivot); pivot; pivot = bestPivot(open, isPivot)) {
    open.delete(pivot.row);
    order.push(pivot);
    for (const row of open) eliminate(pool, row, pivot.row, pivot.unknown);
  }
  const eliminated = new Set(order.map((o) => o.unknown));
  const rest = unknowns.map((_, k) => k).filter((k) => !eliminated.has(k));
  const values: Expr[] = new Array(unknowns.length);
  return byDeterminants(pool, [...open], rest, values) ? substituteBack(pool, order, values) : undefined;
}

/** Unknowns that are solved by determinants, at most. */
const mostUnknowns = 4;

/** Cramer's rule; false where there are too many unknowns. */
function byDeterminants(
  pool: Pool,
  rows: readonly Row[],
  unknowns: readonly number[],
  values: Expr[],
): boolean {
  if (unknowns.length === 0) return true;
  if (unknowns.length > mostUnknowns || rows.length !== unknowns.length) return false;
  const matrix = rows.map((row) => unknowns.map((k) => row.coefficients.get(k) ?? pool.zero));
  const divisor = determinant(pool, matrix);
  if (divisor === pool.zero) return false;
  for (const [j, unknown] of unknowns.entries()) {
    const replaced = matrix.map((row, i) => row.map((e, k) => (k === j ? rows[i]!.right : e)));
    values[unknown] = quotient(pool, determinant(pool, replaced), divisor);
  }
  return true;
}

/** By expansion along the first row. */
function determinant(pool: Pool, matrix: readonly (readonly Expr[])[]): Expr {
  const [first, ...others] = matrix;
  if (!first) return pool.one;
  let sum: Expr = pool.zero;
  for (const [k, factor] of first.entries()) {
    if (factor === pool.zero) continue;
    const minor = determinant(
      pool,
      others.map((row) => row.filter((_, j) => j !== k)),
    );
    const term = pool.mul(factor, minor);
    sum = k % 2 === 0 ? pool.add(sum, term) : pool.sub(sum, term);
  }
  return sum;
}

/** A quotient without the factors that are above and below. */
function quotient(pool: Pool, above: Expr, below: Expr): Expr {
  const factors = factorsOf(above);
  const at = factors.indexOf(below);
  if (at < 0) return pool.quotient(above, below);
  return factors.filter((_, k) => k !== at).reduce<Expr>((product, f) => pool.mul(product, f), pool.one);
}

function factorsOf(expr: Expr): Expr[] {
  return expr.kind === 'apply' && expr.op === 'mul' ? expr.args.flatMap(factorsOf) : [expr];
}

function rowOf(pool: Pool, residual: Expr, unknowns: readonly Ref[]): Row | undefined {
  const coefficients = new Map<number, Expr>();
  let rest = residual;
  for (const [k, unknown] of unknowns.entries()) {
    const form = linear(pool, rest, unknown);
    if (!form) return undefined;
    if (form.coefficient !== pool.zero) coefficients.set(k, form.coefficient);
    rest = form.rest;
  }
  const wanted = new Set<Expr>(unknowns);
  for (const coefficient of coefficients.values())
    if (nodesOf(coefficient).some((node) => wanted.has(node))) return undefined;
  return { coefficients, right: pool.neg(rest) };
}

/** The simplest pivot: a one, another number, the shortest expression; of equals that in a row without right side, and a short one. */
function bestPivot(
  open: ReadonlySet<Row>,
  isPivot: (expr: Expr) => boolean,
): { row: Row; unknown: number } | undefined {
  let best: { row: Row; unknown: number } | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const row of open) {
    const weight = row.right.kind === 'const' && row.right.value === 0 ? 0 : 0.5;
    for (const [unknown, coefficient] of row.coefficients) {
      const cost = costOf(coefficient) + weight + row.coefficients.size / 1000;
      if (cost >= least || (coefficient.kind !== 'const' && !isPivot(coefficient))) continue;
      least = cost;
      best = { row, unknown };
    }
  }
  return best;
}

function costOf(coefficient: Expr): number {
  if (coefficient.kind !== 'const') return 1 + nodesOf(coefficient).length;
  return Math.abs(coefficient.value) === 1 ? 0 : 1;
}

/** Takes an unknown out of a row, without dividing unless by a number. */
function eliminate(pool: Pool, row: Row, by: Row, unknown: number): void {
  const own = row.coefficients.get(unknown);
  if (!own) return;
  const pivot = by.coefficients.get(unknown)!;
  const [scale, factor] = pivot.kind === 'const' ? [pool.one, pool.div(own, pivot)] : [pivot, own];
  const combine = (mine: Expr, other: Expr) => pool.sub(pool.mul(scale, mine), pool.mul(factor, other));
  row.coefficients.delete(unknown);
  for (const k of new Set([...row.coefficients.keys(), ...by.coefficients.keys()])) {
    if (k === unknown) continue;
    const value = combine(row.coefficients.get(k) ?? pool.zero, by.coefficients.get(k) ?? pool.zero);
    if (value === pool.zero) row.coefficients.delete(k);
    else row.coefficients.set(k, value);
  }
  row.right = combine(row.right, by.right);
}

/** Completes `values` from the rows that were put aside. */
function substituteBack(
  pool: Pool,
  order: readonly { row: Row; unknown: number }[],
  values: Expr[],
): Expr[] | undefined {
  for (const { row, unknown } of [...order].reverse()) {
    let right = row.right;
    for (const [k, coefficient] of row.coefficients)
      if (k !== unknown) right = pool.sub(right, pool.mul(coefficient, values[k]!));
    values[unknown] = quotient(pool, right, row.coefficients.get(unknown)!);
    if (nodesOf(values[unknown]!).length > longest) return undefined;
  }
  return values;
}
