/**
 * Hidden constraints among linear equations with integer coefficients, which connections and components make in great number
 * (`v = p.v - n.v`, sums of currents). Two capacitors in parallel between nodes that are not grounded give
 * `v1 = a - b` and `v2 = a - b`: by structure a and b are determined, in truth `v1 = v2` is a constraint between states
 * (Otter and Elmqvist 2017, section 4 on linear Integer equations). Every combination of such equations that contains no
 * variable but differentiated ones, and what is known, replaces one of the equations it is made of.
 *
 * An equation with a variable that no other equation of the kind contains is in no such combination. Such equations
 * are peeled off, again and again, O(n); what is left, if anything, are loops of capacitors and cuts of inductors, which elimination
 * with whole numbers goes through.
 */
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { ScalarEquation, ScalarVariable } from './sorted.ts';

/** The sum of `terms` (coefficients by symbol) and `known` is zero. */
interface Row {
  readonly terms: ReadonlyMap<number, number>;
  readonly known: Expr;
}

/** Terms that elimination may touch; a network beyond that is left as it is. */
const mostWork = 500_000;
const largestCoefficient = 1000;

/** The equations, with constraints among differentiated variables where these were hidden. */
export function revealConstraints(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  differentiated: ReadonlySet<number>,
): readonly ScalarEquation[] {
  const continuous = new Set<number>();
  for (const variable of variables) if (!variable.discrete) continuous.add(variable.symbol);
  const rows = new Map<number, Row>();
  for (const [k, equation] of equations.entries()) {
    const row = rowOf(pool, equation, continuous);
    if (row && row.terms.size > 0) rows.set(k, row);
  }
  const core = peel(rows, differentiated);
  if (core.length === 0) return equations;
  const result = equations.slice();
  for (const { position, row } of dependent(pool, rows, core, differentiated))
    result[position] = equationOf(pool, equations[position]!, row);
  return result;
}

// ---------------------------------------------------------------- reading

const known = new WeakMap<ScalarEquation, Row | 'other'>();

/** An equation as a row; undefined where it is of another kind. Equations are shared by modes, and so are rows. */
function rowOf(pool: Pool, equation: ScalarEquation, continuous: ReadonlySet<number>): Row | undefined {
  let row = known.get(equation);
  if (row === undefined) {
    row = read(pool, equation, continuous) ?? 'other';
    known.set(equation, row);
  }
  return row === 'other' ? undefined : row;
}

function read(pool: Pool, equation: ScalarEquation, continuous: ReadonlySet<number>): Row | undefined {
  if (equation.assigns !== undefined || equation.joins !== undefined) return undefined;
  const terms = new Map<number, number>();
  let rest: Expr = pool.zero;
  const open: { expr: Expr; factor: number }[] = [
    { expr: equation.right, factor: -1 },
    { expr: equation.left, factor: 1 },
  ];
  const isUnknown = (leaf: Expr) => leaf.kind === 'ref' && continuous.has(leaf.symbol);
  for (let item = open.pop(); item; item = open.pop()) {
    const { expr, factor } = item;
    const [a, b] = expr.kind === 'apply' ? expr.args : [];
    if (expr.kind === 'ref' && isUnknown(expr)) {
      if (expr.order > 0) return undefined;
      const sum = (terms.get(expr.symbol) ?? 0) + factor;
      if (sum === 0) terms.delete(expr.symbol);
      else terms.set(expr.symbol, sum);
    } else if (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub')) {
      open.push({ expr: b!, factor: expr.op === 'add' ? factor : -factor }, { expr: a!, factor });
    } else if (expr.kind === 'apply' && expr.op === 'neg') {
      open.push({ expr: a!, factor: -factor });
    } else if (expr.kind === 'apply' && expr.op === 'mul' && isWhole(a!)) {
      open.push({ expr: b!, factor: factor * a.value });
    } else if (!leaves(expr).some(isUnknown)) {
      rest = pool.add(rest, pool.mul(pool.const(factor), expr));
    } else return undefined;
  }
  return { terms, known: rest };
}

function isWhole(expr: Expr): expr is Extract<Expr, { kind: 'const' }> {
  return expr.kind === 'const' && Number.isInteger(expr.value) && Math.abs(expr.value) <= largestCoefficient;
}

// ---------------------------------------------------------------- peeling

/** Positions of the rows that remain when those with a variable of their own are taken away. */
function peel(rows: ReadonlyMap<number, Row>, differentiated: ReadonlySet<number>): number[] {
  const users = new Map<number, number[]>();
  for (const [position, { terms }] of rows) {
    for (const symbol of terms.keys()) {
      if (differentiated.has(symbol)) continue;
      const list = users.get(symbol);
      if (list) list.push(position);
      else users.set(symbol, [position]);
    }
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

/** Rows of the core that are combinations of others but for differentiated variables, with that combination. */
function dependent(
  pool: Pool,
  rows: ReadonlyMap<number, Row>,
  core: readonly number[],
  differentiated: ReadonlySet<number>,
): { position: number; row: Row }[] {
  const pivots: { symbol: number; row: Row }[] = [];
  const pivotOf = new Map<number, number>();
  const found: { position: number; row: Row }[] = [];
  let work = 0;
  for (const position of core) {
    let row = rows.get(position)!;
    for (;;) {
      let next = pivots.length;
      for (const symbol of row.terms.keys()) next = Math.min(next, pivotOf.get(symbol) ?? next);
      const pivot = pivots[next];
      if (!pivot) break;
      const combined = combine(pool, row, pivot.row, pivot.symbol);
      if (!combined) return found;
      work += row.terms.size + pivot.row.terms.size;
      row = combined;
    }
    if (work > mostWork) return found;
    const own = [...row.terms.keys()].find((symbol) => !differentiated.has(symbol));
    if (own !== undefined) {
      pivotOf.set(own, pivots.length);
      pivots.push({ symbol: own, row });
    } else if (row.terms.size > 0 && row !== rows.get(position)) found.push({ position, row });
  }
  return found;
}

/** The combination of two rows without a variable; undefined if numbers become too large. */
function combine(pool: Pool, row: Row, other: Row, symbol: number): Row | undefined {
  const [p, q] = [other.terms.get(symbol)!, row.terms.get(symbol)!];
  const common = Math.sign(p) * divisor(p, q);
  const [f, g] = [p / common, -q / common];
  const terms = new Map<number, number>();
  for (const [s, c] of row.terms) terms.set(s, f * c);
  for (const [s, c] of other.terms) {
    const sum = (terms.get(s) ?? 0) + g * c;
    if (sum === 0) terms.delete(s);
    else terms.set(s, sum);
    if (Math.abs(sum) > largestCoefficient) return undefined;
  }
  const known = pool.add(pool.mul(pool.const(f), row.known), pool.mul(pool.const(g), other.known));
  return { terms, known };
}

function divisor(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

// ---------------------------------------------------------------- writing

/** Equations made from one, by their terms: the same one in every mode that needs it. */
const made = new WeakMap<ScalarEquation, Map<string, ScalarEquation>>();

function equationOf(pool: Pool, original: ScalarEquation, { terms, known }: Row): ScalarEquation {
  const [first] = terms.values();
  let left: Expr = pool.zero;
  let right: Expr = first! > 0 ? pool.neg(known) : known;
  for (const [symbol, coefficient] of terms) {
    const term = pool.mul(pool.const(Math.abs(coefficient)), pool.ref(symbol));
    if (coefficient > 0 === first! > 0) left = pool.add(left, term);
    else right = pool.add(right, term);
  }
  const key = `${left.id} ${right.id}`;
  const list = made.get(original) ?? new Map<string, ScalarEquation>();
  made.set(original, list);
  let equation = list.get(key);
  if (!equation) list.set(key, (equation = { ...original, left, right }));
  return equation;
}
