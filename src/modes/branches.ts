/**
 * If-equations whose branches have the same structure: their rows are paired and become single equations with conditional
 * expressions, so that the condition needs no modes of its own. Two rows can be paired when they contain the same
 * variables in the same derivatives, or when both compute the same variable (`x = …`) and agree in all derivatives. Where a condition causes no events, and
 * so cannot choose a mode, rows are paired as they are written if only they agree in derivatives and have a variable in common: the pair is solved as it is
 * when it is evaluated.
 */
import { append } from '../collections/groups.ts';
import type { Guard } from '../flat/flat.ts';
import { incidence, symbolsOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Condition, GuardedEquation } from './guarded.ts';

/** A branch with its rows; the last one has no condition (`else`). */
export interface GuardedBranch {
  readonly condition: number | undefined;
  readonly rows: readonly GuardedEquation[];
}

type Sides = Pick<GuardedEquation, 'left' | 'right'>;

/** The rows of all branches as one set of equations, or undefined where the structure differs; `eventless`: one of the conditions causes no events. */
export function mergeBranches(
  pool: Pool,
  conditions: readonly Condition[],
  branches: readonly GuardedBranch[],
  guard: Guard,
  eventless: boolean,
): GuardedEquation[] | undefined {
  const last = branches[branches.length - 1]!;
  const count = last.rows.length;
  if (last.condition !== undefined || branches.length === 1 || count === 0) return undefined;
  const ownLiterals = (k: number) => Math.min(k + 1, branches.length - 1);
  const isFlat = ({ rows }: GuardedBranch, k: number) =>
    rows.length === count && rows.every((row) => row.guard.length === guard.length + ownLiterals(k));
  if (!branches.every(isFlat)) return undefined;
  if (branches.some((b) => b.condition !== undefined && conditions[b.condition]!.constant)) return undefined;
  const rows = branches.map((b) => b.rows);
  const table =
    pairBy(rows, (row) => structureKey(row, false)) ??
    pairBy(rows, assignmentKey) ??
    (eventless ? pairInOrder(rows) : undefined);
  const tests = branches.slice(0, -1).map((b) => conditions[b.condition!]!.value);
  return table?.map((rows) => ({ ...rows[0]!, guard, ...mergedSides(pool, tests, rows) }));
}

/** One equation that is that of the first row whose test holds, or of the last: with the left side that all have, or as a residual. */
export function mergedSides(pool: Pool, tests: readonly Expr[], rows: readonly Sides[]): Sides {
  const choose = (pick: (row: Sides) => Expr): Expr => {
    let value = pick(rows[rows.length - 1]!);
    for (let k = rows.length - 2; k >= 0; k--) value = pool.if(tests[k]!, pick(rows[k]!), value);
    return value;
  };
  const { left } = rows[0]!;
  if (rows.every((row) => row.left === left)) return { left, right: choose((r) => r.right) };
  return { left: choose((r) => pool.sub(r.left, r.right)), right: pool.zero };
}

/** Finds for every row of the first branch its partners in the others; undefined where the structure differs. */
function pairBy(
  branches: readonly (readonly GuardedEquation[])[],
  keyOf: (row: GuardedEquation) => string | undefined,
): GuardedEquation[][] | undefined {
  const table = branches[0]!.map((row) => [row]);
  const keys = branches[0]!.map(keyOf);
  if (keys.includes(undefined)) return undefined;
  for (const rows of branches.slice(1)) {
    const free = new Map<string, GuardedEquation[]>();
    for (const row of rows) {
      const key = keyOf(row);
      if (key === undefined) return undefined;
      append(free, key, row);
    }
    for (const [k, key] of keys.entries()) {
      const row = free.get(key!)?.shift();
      if (!row) return undefined;
      table[k]!.push(row);
    }
  }
  return table;
}

/** Pairs rows as they are written, where all of a pair could be solved for the same variable. */
function pairInOrder(branches: readonly (readonly GuardedEquation[])[]): GuardedEquation[][] | undefined {
  const table = branches[0]!.map((_, k) => branches.map((rows) => rows[k]!));
  const fits = (rows: readonly GuardedEquation[]): boolean => {
    const [first, ...others] = rows.map(({ left, right }) => new Set([left, right].flatMap(symbolsOf)));
    const common = [...first!].some((symbol) => others.every((other) => other.has(symbol)));
    return common && new Set(rows.map((row) => structureKey(row, true))).size === 1;
  };
  return table.every(fits) ? table : undefined;
}

/** Which variables a row contains and in which derivative: rows with equal keys have equal structure. */
function structureKey(row: GuardedEquation, derivativesOnly: boolean): string {
  const entries = new Map<number, number>();
  for (const side of [row.left, row.right]) {
    for (const [symbol, order] of incidence(side))
      entries.set(symbol, Math.max(order, entries.get(symbol) ?? 0));
  }
  const kept = [...entries].filter(([, order]) => !derivativesOnly || order > 0).sort((a, b) => a[0] - b[0]);
  return `${row.assigns ?? ''}:${kept.map(([symbol, order]) => `${symbol}^${order}`).join(' ')}`;
}

/** Rows `x = …` that compute the same variable and agree in all derivatives can be evaluated the same way. */
function assignmentKey(row: GuardedEquation): string | undefined {
  if (row.left.kind !== 'ref') return undefined;
  if (incidence(row.right).has(row.left.symbol)) return undefined;
  return `${row.left.id}=${structureKey(row, true)}`;
}
