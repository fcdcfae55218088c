/**
 * Potentials that nothing determines. In a part of a circuit without ground only differences of potentials are
 * determined, and the sums of its flows follow from each other. So each floating part has one equation too many and
 * one too few, and the first is replaced.
 *
 * What may move without changing an equation is seen from the sums in it that are linear with whole coefficients. Elimination among
 * these gives the free variables, and by substitution how all others move with these: the
 * null space. What is free must be potentials of connectors: they can be chosen, since flows depend on their differences only. Which of
 * two parallel paths without resistance carries a flow is no matter of choice, and stays an error.
 *
 * Where conditions compare variables that move with a floating part (the voltages of diodes that block), the part is put where
 * the sum of the squares of those is least: as if each of them leaked a little, and all alike. Then the diodes of a bridge begin to conduct in pairs.
 * A part that no condition looks at keeps the potential it had: `x = pre(x)`.
 */
import { remember } from '../../collections/memo.ts';
import { children, symbolsOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import type { Floating, ScalarEquation, ScalarVariable } from '../analysis.ts';
import { accumulate, Elimination, inPlaceOf, type Row, rowInPlaceOf, summands } from './rows.ts';

/**
 * Replaces redundant `equations` by such that determine what floats. Nothing is changed where there are not as many of these, or where other things
 * than potentials are free. `rows` are the other linear equations with whole coefficients, by position.
 */
export function settleFloating(
  pool: Pool,
  equations: ScalarEquation[],
  redundant: readonly number[],
  rows: ReadonlyMap<number, Row>,
  variables: readonly ScalarVariable[],
): Floating[] {
  const kinds = new Map(variables.map((variable) => [variable.symbol, variable]));
  const isContinuous = (symbol: number) => kinds.get(symbol)?.discrete === false;
  const isPotential = (symbol: number) => kinds.get(symbol)?.potential === true;
  const isCompared = (symbol: number) => kinds.get(symbol)?.compared === true;
  const matters = (symbol: number) => isPotential(symbol) || isCompared(symbol);
  const ties = tiesOf(equations, rows, new Set(redundant), isContinuous, matters);
  const mayMove = (symbol: number) => !ties.symbols.has(symbol);
  const tying = [...rows].flatMap(([position, row]) => (ties.observers.has(position) ? [] : [row]));
  const elimination = eliminate([...tying, ...ties.rows], mayMove, kinds);
  if (!elimination) return [];
  const free = new Set<number>();
  for (const { terms } of [...rows.values(), ...ties.rows])
    for (const symbol of terms.keys())
      if (mayMove(symbol) && !ties.observed.has(symbol) && !elimination.has(symbol)) free.add(symbol);
  for (const { symbol, discrete } of variables)
    if (!discrete && isPotential(symbol) && !ties.occurring.has(symbol)) free.add(symbol);
  if (free.size !== redundant.length || ![...free].every(isPotential)) return [];
  const isBalanced = (symbol: number) => isCompared(symbol) && !isPotential(symbol);
  const balances = balanceRows(elimination, [...free], isBalanced);
  if (!balances) return [];
  return [...free].map((symbol, k) => {
    const position = redundant[k]!;
    const original = equations[position]!;
    const balance = balances.get(symbol);
    equations[position] = balance
      ? rowInPlaceOf(pool, original, balance)
      : inPlaceOf(original, pool.ref(symbol), pool.pre(symbol));
    return { symbol, held: !balance };
  });
}

/** What moves together without changing an equation of another kind, and what must not move. */
interface Ties {
  readonly rows: Row[];
  readonly symbols: Set<number>;
  /** Positions of equations that tie nothing, and the variables that they are there for. */
  readonly observers: Set<number>;
  readonly observed: Set<number>;
  /** What occurs in any equation. */
  readonly occurring: ReadonlySet<number>;
}

/**
 * Equations of other kinds, as far as they tie variables. An equation with a variable that occurs nowhere else, and that no condition looks at, observes
 * the others and ties nothing, and so do discrete-time equations, which are solved for what they assign.
 */
function tiesOf(
  equations: readonly ScalarEquation[],
  rows: ReadonlyMap<number, Row>,
  redundant: ReadonlySet<number>,
  isContinuous: (symbol: number) => boolean,
  matters: (symbol: number) => boolean,
): Ties {
  const occurring = new Map<number, Set<number>>();
  const users = new Map<number, Set<number>>();
  for (const [position, { left, right, assigns, joins }] of equations.entries()) {
    if (assigns !== undefined || joins !== undefined) continue;
    const row = rows.get(position);
    const symbols = new Set(row ? row.terms.keys() : [left, right].flatMap(symbolsOf).filter(isContinuous));
    occurring.set(position, symbols);
    for (const symbol of symbols) remember(users, symbol, () => new Set()).add(position);
  }
  const ties: Ties = {
    rows: [],
    symbols: new Set(),
    observers: new Set(),
    observed: new Set(),
    occurring: new Set(users.keys()),
  };
  const open = [...users.keys()];
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop()) {
    const [position, ...more] = users.get(symbol)!;
    if (position === undefined || more.length > 0) continue;
    if (rows.has(position) && matters(symbol)) continue;
    ties.observers.add(position);
    ties.observed.add(symbol);
    for (const other of occurring.get(position)!) {
      users.get(other)!.delete(position);
      open.push(other);
    }
  }
  for (const position of occurring.keys()) {
    if (rows.has(position) || redundant.has(position) || ties.observers.has(position)) continue;
    tie(equations[position]!, isContinuous, ties);
  }
  return ties;
}

/**
 * An equation stays true where each sum in it that is linear with whole coefficients stays the same: `i = G*(a - b)` allows a and b to move
 * together.
 */
function tie({ left, right }: ScalarEquation, isContinuous: (symbol: number) => boolean, ties: Ties): void {
  const seen = new Set<Expr>();
  const sums: Expr[][] = [[left, right]];
  for (let sum = sums.pop(); sum; sum = sums.pop()) {
    const terms = new Map<number, number>();
    const open = sum.map((expr, k) => ({ expr, factor: k === 0 ? 1 : -1 }));
    for (let item = open.pop(); item; item = open.pop()) {
      const { expr, factor } = item;
      const parts = summands(expr);
      if (parts) for (const part of parts) open.push({ expr: part.expr, factor: factor * part.factor });
      else if (expr.kind === 'ref' && isContinuous(expr.symbol)) {
        if (expr.order > 0) ties.symbols.add(expr.symbol);
        else accumulate(terms, expr.symbol, factor);
      } else if (!seen.has(expr)) {
        seen.add(expr);
        for (const child of children(expr)) sums.push([child]);
      }
    }
    const [first, ...more] = terms.keys();
    if (more.length > 0) ties.rows.push({ terms, known: none });
    else if (first !== undefined) ties.symbols.add(first);
  }
}

/** Elimination among what may move. What has start values, and potentials, become pivots last. */
function eliminate(
  rows: readonly Row[],
  mayMove: (symbol: number) => boolean,
  kinds: ReadonlyMap<number, ScalarVariable>,
): Elimination | undefined {
  const elimination = new Elimination();
  const rank = (symbol: number) => {
    const kind = kinds.get(symbol);
    return kind ? (kind.potential ? 1000 : 0) + kind.weight : 0;
  };
  for (const { terms } of rows) {
    const own = new Map([...terms].filter(([symbol]) => mayMove(symbol)));
    const row = elimination.reduce({ terms: own, known: none });
    if (!row) return undefined;
    let pivot: number | undefined;
    for (const symbol of row.terms.keys())
      if (pivot === undefined || rank(symbol) < rank(pivot)) pivot = symbol;
    if (pivot !== undefined) elimination.add(row, pivot);
  }
  return elimination;
}

/**
 * For free variables by which compared ones move: that the derivative of the sum of their squares vanishes. A group of parts that only move against each
 * other is free as a whole: one of its variables has no row.
 */
function balanceRows(
  elimination: Elimination,
  free: readonly number[],
  isCompared: (symbol: number) => boolean,
): Map<number, Row> | undefined {
  const balances = new Map<number, Map<number, number>>();
  for (const [symbol, shares] of moves(elimination, free)) {
    if (!isCompared(symbol)) continue;
    for (const [source, share] of shares) {
      if (!Number.isInteger(share)) return undefined;
      remember(balances, source, () => new Map()).set(symbol, share);
    }
  }
  const independent = new Elimination();
  const result = new Map<number, Row>();
  for (const [source, terms] of balances) {
    const row = independent.reduce({ terms, known: none });
    if (!row) return undefined;
    const [pivot] = row.terms.keys();
    if (pivot === undefined) continue;
    independent.add(row, pivot);
    result.set(source, { terms, known: none });
  }
  return result;
}

/** By symbol: how it moves with each of the free ones. */
function moves(elimination: Elimination, free: readonly number[]): Map<number, Map<number, number>> {
  const result = new Map<number, Map<number, number>>(free.map((symbol) => [symbol, new Map([[symbol, 1]])]));
  for (const { symbol, row } of elimination.pivots.toReversed()) {
    const own = new Map<number, number>();
    const divisor = -row.terms.get(symbol)!;
    for (const [other, coefficient] of row.terms) {
      if (other === symbol) continue;
      for (const [source, share] of result.get(other) ?? nothing)
        accumulate(own, source, (coefficient * share) / divisor);
    }
    if (own.size > 0) result.set(symbol, own);
  }
  return result;
}

const nothing: ReadonlyMap<number, number> = new Map();
const none: Row['known'] = new Map();
