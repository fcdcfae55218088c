/**
 * Linear equations with whole coefficients as rows, and elimination among them. Connections and components make such equations
 * in great number (`v = p.v - n.v`, sums of currents). Everything is exact: what is known is kept as a sum of expressions
 * with whole factors, so that terms which cancel are seen to do so.
 */
import { append } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import type { ScalarEquation } from '../analysis.ts';

/** The sum of `terms` (coefficients by symbol) and of `known` (factors by expression) is zero. */
export interface Row {
  readonly terms: ReadonlyMap<number, number>;
  readonly known: ReadonlyMap<Expr, number>;
}

/** Terms that elimination may touch; a network beyond that is left as it is. */
const mostWork = 500_000;
const largestCoefficient = 1000;

// ---------------------------------------------------------------- reading

const readRows = new WeakMap<ScalarEquation, Row | 'other'>();

/** An equation as a row; undefined where it is of another kind. Equations are shared by modes, and so are rows. */
export function rowOf(
  pool: Pool,
  equation: ScalarEquation,
  continuous: ReadonlySet<number>,
): Row | undefined {
  const row = remember(readRows, equation, () => read(pool, equation, continuous) ?? 'other');
  return row === 'other' ? undefined : row;
}

function read(pool: Pool, equation: ScalarEquation, continuous: ReadonlySet<number>): Row | undefined {
  if (equation.assigns !== undefined || equation.joins !== undefined) return undefined;
  const terms = new Map<number, number>();
  const known = new Map<Expr, number>();
  const open: { expr: Expr; factor: number }[] = [
    { expr: equation.right, factor: -1 },
    { expr: equation.left, factor: 1 },
  ];
  const isUnknown = (leaf: Expr) => leaf.kind === 'ref' && continuous.has(leaf.symbol);
  for (let item = open.pop(); item; item = open.pop()) {
    const { expr, factor } = item;
    const parts = summands(expr);
    if (parts) {
      for (const part of parts) open.push({ expr: part.expr, factor: factor * part.factor });
    } else if (expr.kind === 'ref' && isUnknown(expr)) {
      if (expr.order > 0) return undefined;
      accumulate(terms, expr.symbol, factor);
    } else if (expr.kind === 'const') {
      accumulate(known, pool.one, factor * expr.value);
    } else if (!leaves(expr).some(isUnknown)) {
      accumulate(known, expr, factor);
    } else return undefined;
  }
  return { terms, known };
}

/** The terms of a sum, or of a whole multiple; undefined for what is neither. The first comes last. */
export function summands(
  expr: Expr,
): readonly { readonly expr: Expr; readonly factor: number }[] | undefined {
  if (expr.kind !== 'apply') return undefined;
  const [a, b] = expr.args;
  switch (expr.op) {
    case 'add':
    case 'sub':
      return [
        { expr: b!, factor: expr.op === 'add' ? 1 : -1 },
        { expr: a!, factor: 1 },
      ];
    case 'neg':
      return [{ expr: a!, factor: -1 }];
    case 'mul':
      return isWhole(a!) ? [{ expr: b!, factor: a.value }] : undefined;
    default:
      return undefined;
  }
}

function isWhole(expr: Expr): expr is Extract<Expr, { kind: 'const' }> {
  return expr.kind === 'const' && Number.isInteger(expr.value) && Math.abs(expr.value) <= largestCoefficient;
}

// ---------------------------------------------------------------- peeling

/**
 * Positions of the rows that may be in a combination without pivots: those that remain when rows with a pivot of their
 * own are taken away, again and again, O(n).
 */
export function peel(rows: ReadonlyMap<number, Row>, isPivot: (symbol: number) => boolean): number[] {
  const users = new Map<number, number[]>();
  for (const [position, { terms }] of rows) {
    for (const symbol of terms.keys()) if (isPivot(symbol)) append(users, symbol, position);
  }
  const count = new Map<number, number>();
  const gone = new Set<number>();
  const open: number[] = [];
  const take = (symbol: number): void => {
    const owner = users.get(symbol)!.find((position) => !gone.has(position));
    if (owner === undefined) return;
    gone.add(owner);
    open.push(owner);
  };
  for (const [symbol, list] of users) count.set(symbol, list.length);
  for (const [symbol, list] of users) if (list.length === 1) take(symbol);
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    for (const symbol of rows.get(position)!.terms.keys()) {
      const left = count.get(symbol);
      if (left === undefined) continue;
      count.set(symbol, left - 1);
      if (left === 2) take(symbol);
    }
  }
  return [...rows.keys()].filter((position) => !gone.has(position));
}

// ---------------------------------------------------------------- elimination

/** Rows that were made free of each other's pivots: none contains the pivot of one before it. */
export class Elimination {
  readonly pivots: { readonly symbol: number; readonly row: Row }[] = [];
  private readonly pivotOf = new Map<number, number>();
  private work = 0;

  /** The row without the pivots so far; undefined if that is too much work or numbers become too large. */
  reduce(row: Row): Row | undefined {
    let result = row;
    for (;;) {
      let next = this.pivots.length;
      for (const symbol of result.terms.keys()) next = Math.min(next, this.pivotOf.get(symbol) ?? next);
      const pivot = this.pivots[next];
      if (!pivot) return result;
      this.work += result.terms.size + pivot.row.terms.size;
      const combined = this.work > mostWork ? undefined : combine(result, pivot.row, pivot.symbol);
      if (!combined) return undefined;
      result = combined;
    }
  }

  /** Takes a reduced row with the pivot that later rows shall be free of. */
  add(row: Row, symbol: number): void {
    this.pivotOf.set(symbol, this.pivots.length);
    this.pivots.push({ symbol, row });
  }

  has(symbol: number): boolean {
    return this.pivotOf.has(symbol);
  }
}

/** The combination of two rows without a variable; undefined if numbers become too large. */
function combine(row: Row, other: Row, symbol: number): Row | undefined {
  const [p, q] = [other.terms.get(symbol)!, row.terms.get(symbol)!];
  const common = Math.sign(p) * divisor(p, q);
  const [f, g] = [p / common, -q / common];
  const terms = sum(row.terms, f, other.terms, g);
  for (const coefficient of terms.values()) if (Math.abs(coefficient) > largestCoefficient) return undefined;
  return { terms, known: sum(row.known, f, other.known, g) };
}

function sum<Key>(
  a: ReadonlyMap<Key, number>,
  f: number,
  b: ReadonlyMap<Key, number>,
  g: number,
): Map<Key, number> {
  const result = new Map<Key, number>();
  for (const [key, value] of a) result.set(key, f * value);
  for (const [key, value] of b) accumulate(result, key, g * value);
  return result;
}

/** Adds to an entry; entries of zero are not there. */
export function accumulate<Key>(map: Map<Key, number>, key: Key, value: number): void {
  const total = (map.get(key) ?? 0) + value;
  if (total === 0) map.delete(key);
  else map.set(key, total);
}

function divisor(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

// ---------------------------------------------------------------- writing

/** Equations made in place of one, by their sides: the same one in every mode that needs it. */
const made = new WeakMap<ScalarEquation, Map<string, ScalarEquation>>();

/** `left = right` in the place of an equation. */
export function inPlaceOf(original: ScalarEquation, left: Expr, right: Expr): ScalarEquation {
  const key = `${left.id} ${right.id}`;
  const list = remember(made, original, () => new Map());
  return remember(list, key, () => ({ ...original, left, right }));
}

/** A row in the place of an equation. */
export function rowInPlaceOf(pool: Pool, original: ScalarEquation, { terms, known }: Row): ScalarEquation {
  const [first] = terms.values();
  let left: Expr = pool.zero;
  let right: Expr = pool.zero;
  for (const [expr, factor] of known) {
    right = pool.add(right, pool.mul(pool.const(first! > 0 ? -factor : factor), expr));
  }
  for (const [symbol, coefficient] of terms) {
    const term = pool.mul(pool.const(Math.abs(coefficient)), pool.ref(symbol));
    if (coefficient > 0 === first! > 0) left = pool.add(left, term);
    else right = pool.add(right, term);
  }
  return inPlaceOf(original, left, right);
}
