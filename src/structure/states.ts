/**
 * State selection by dummy derivatives (Mattsson and Söderlind 1993) on the offsets of the Sigma-method.
 *
 * At stage k = 1, 2, … the constraints are the equations F_i^(c_i - k) with c_i >= k. By Griewank's lemma
 * their Jacobian by x_j^(d_j - k) is made of the rows i of the leading Jacobian, at every stage. As many
 * columns as rows, with a regular submatrix, are *dependent*: solved from the constraints. Candidates of the
 * next stage are the columns that were dependent, because an integrated derivative makes everything below it
 * a state. If column j was dependent at s_j stages, its states are x_j^(0) … x_j^(d_j - s_j - 1): sum d - sum
 * c in all.
 *
 * A stage falls into independent parts (connected rows). A choice is *static* where nothing is to be chosen,
 * where stateSelect=always decides it, where all coefficients are constant or parametric, or where the best
 * choice is triangular with constant pivots and so never singular. Of other parts only a core depends on values
 * (`peel.ts`); there the choice is made at the given ones and handed on as a `DynamicSelection`.
 */
import { Ties } from '../collections/forest.ts';
import { popHeap, pushHeap } from '../collections/heap.ts';
import { sameItems } from '../collections/lists.ts';
import { remember } from '../collections/memo.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { DynamicSelection, ScalarVariable } from './analysis.ts';
import type { Decisions } from './decisions.ts';
import { peel } from './peel.ts';
import { chooseColumns, stateWeights } from './pivot.ts';

export interface StateProblem {
  readonly c: ArrayLike<number>;
  readonly d: ArrayLike<number>;
  /** Row i of the leading Jacobian. */
  readonly leading: (i: number) => readonly { readonly column: number; readonly value: Expr }[];
  readonly variables: readonly ScalarVariable[];
  /** Whether the variable appears differentiated in the equations as they were written. */
  readonly differentiated: (column: number) => boolean;
  readonly ref: (column: number, order: number) => Ref;
  /** True for values that cannot change during a simulation. */
  readonly isConstant: (value: Expr) => boolean;
  /** Current or start values; what is not finite counts as an arbitrary number. */
  readonly evaluate: (value: Expr) => number;
  /** Where to note what is concluded from constant values. */
  readonly decisions?: Decisions | undefined;
  /**
   * Dependent candidates of each dynamic selection, in the order in which they are found; chosen here where
   * absent.
   */
  readonly choices?: readonly (readonly number[] | undefined)[];
}

export interface StateSelection {
  /** `stages[j]`: at how many stages variable j is dependent. */
  readonly stages: Int32Array;
  readonly selections: readonly DynamicSelection[];
  /** Columns with stateSelect=always that are dependent, each with the other columns of its constraints. */
  readonly constrained: readonly { readonly column: number; readonly others: readonly number[] }[];
  /** Columns with stateSelect=never that are states. */
  readonly forbidden: readonly number[];
}

export function selectStates(problem: StateProblem): StateSelection {
  const { c, d, variables } = problem;
  const stages = new Int32Array(variables.length);
  const selections: DynamicSelection[] = [];
  const constrained: { column: number; others: readonly number[] }[] = [];
  let rows: number[] = [];
  for (let i = 0; i < c.length; i++) if (c[i]! >= 1) rows.push(i);
  for (let stage = 1; rows.length > 0; stage++) {
    for (const part of partsOf(problem, rows, stages, stage)) {
      const dependent = choosePart(problem, part, stage, selections);
      for (const k of dependent) stages[part.columns[k]!] = stage;
      for (const k of dependent) {
        const column = part.columns[k]!;
        if (variables[column]!.stateSelect !== 'always' || stage < d[column]!) continue;
        constrained.push({ column, others: part.columns.filter((other) => other !== column) });
      }
    }
    rows = rows.filter((i) => c[i]! > stage);
  }
  const forbidden: number[] = [];
  variables.forEach((variable, j) => {
    if (variable.stateSelect === 'never' && stages[j]! < d[j]!) forbidden.push(j);
  });
  return { stages, selections, constrained, forbidden };
}

/** Independent constraints of one stage: local rows over local columns. */
interface StagePart {
  readonly columns: readonly number[];
  readonly rows: readonly (readonly { readonly column: number; readonly value: Expr }[])[];
}

/**
 * Splits a stage into connected parts; candidates are the columns that were dependent at the stage before.
 */
function partsOf(
  problem: StateProblem,
  rows: readonly number[],
  stages: Int32Array,
  stage: number,
): StagePart[] {
  const isCandidate = (column: number) => stages[column] === stage - 1;
  const candidates = new Set<number>();
  const ties = new Ties();
  for (const i of rows) {
    let first = -1;
    for (const { column } of problem.leading(i)) {
      if (!isCandidate(column)) continue;
      candidates.add(column);
      if (first === -1) first = column;
      else ties.tie(column, first);
    }
  }
  const parts = new Map<number, { columns: number[]; rows: { column: number; value: Expr }[][] }>();
  const local = new Map<number, number>();
  for (const column of [...candidates].sort((p, q) => p - q)) {
    const part = remember(parts, ties.root(column), () => ({ columns: [], rows: [] }));
    local.set(column, part.columns.length);
    part.columns.push(column);
  }
  for (const i of rows) {
    const entries = problem.leading(i).filter(({ column }) => isCandidate(column));
    const part = entries.length > 0 ? parts.get(ties.root(entries[0]!.column)) : undefined;
    part?.rows.push(entries.map(({ column, value }) => ({ column: local.get(column)!, value })));
  }
  return [...parts.values()];
}

/** The dependent columns of a part (local numbers). */
function choosePart(
  problem: StateProblem,
  part: StagePart,
  stage: number,
  selections: DynamicSelection[],
): readonly number[] {
  const weights = part.columns.map((column) => weightOf(problem, column, problem.d[column]! - stage));
  const chosen = chooseStatic(problem, part, weights);
  if (chosen) return chosen;
  const { dependent, cores } = peel(
    part.rows,
    weights,
    (value) => problem.isConstant(value) && isPivotValue(problem, value),
  );
  // A Jacobian that is singular whatever the values is not taken apart: solvers report it as it is.
  const isWhole = cores.every(({ rows, columns }) => rows.length <= columns.length);
  const covered = cores.reduce((sum, { rows }) => sum + rows.length, dependent.length);
  if (dependent.length === 0 || !isWhole || covered < part.rows.length)
    return chooseDynamic(problem, part, stage, weights, selections);
  return [
    ...dependent,
    ...cores.flatMap(({ rows, columns }) => {
      const inner = innerPart(part, rows, columns);
      const own = columns.map((k) => weights[k]!);
      const best = chooseStatic(problem, inner, own) ?? chooseDynamic(problem, inner, stage, own, selections);
      return best.map((k) => columns[k]!);
    }),
  ];
}

/** Some rows and columns of a part as one of its own. */
function innerPart(part: StagePart, rows: readonly number[], columns: readonly number[]): StagePart {
  const local = new Map(columns.map((column, k) => [column, k]));
  return {
    columns: columns.map((k) => part.columns[k]!),
    rows: rows.map((i) =>
      part.rows[i]!.flatMap(({ column, value }) => {
        const k = local.get(column);
        return k === undefined ? [] : [{ column: k, value }];
      }),
    ),
  };
}

/** A choice that does not depend on values that change, where there is one. */
function chooseStatic(
  problem: StateProblem,
  part: StagePart,
  weights: readonly number[],
): readonly number[] | undefined {
  const all = part.columns.map((_, k) => k);
  if (part.columns.length <= part.rows.length) return all;
  const withoutAlways = chooseWithoutAlways(problem, part, weights);
  if (withoutAlways) return withoutAlways;
  const values = part.rows.flatMap((row) => row.map(({ value }) => value));
  if (values.every(problem.isConstant)) {
    const best = chooseByValue(problem, part, weights);
    if (values.some((value) => value.kind !== 'const')) noteChoice(problem, part, weights, best);
    return best;
  }
  const safe = chooseTriangular(problem, part, weights);
  if (!safe) return undefined;
  // Values may be those of large functions: they are asked for only where they can make a difference.
  const least = all.toSorted((p, q) => weights[p]! - weights[q]!).slice(0, part.rows.length);
  const isGood =
    isAsGood(safe, least, weights) || isAsGood(safe, chooseByValue(problem, part, weights), weights);
  return isGood ? safe : undefined;
}

/**
 * Where stateSelect=always leaves as many columns as there are rows. What holds for a variable holds for its derivatives too, unless that
 * leaves too few columns: of der(phi) = w, with both phi and w always states, der(phi) is dependent.
 */
function chooseWithoutAlways(
  { variables }: StateProblem,
  part: StagePart,
  weights: readonly number[],
): readonly number[] | undefined {
  const all = part.columns.map((_, k) => k);
  const byVariable = all.filter((k) => variables[part.columns[k]!]!.stateSelect !== 'always');
  const byWeight = all.filter((k) => weights[k]! < stateWeights.always);
  return [byVariable, byWeight].find((free) => free.length === part.rows.length && isRegular(part, free));
}

/** The choice at the given values, as a selection that may change with them. */
function chooseDynamic(
  problem: StateProblem,
  part: StagePart,
  stage: number,
  weights: readonly number[],
  selections: DynamicSelection[],
): readonly number[] {
  const given = problem.choices?.[selections.length];
  const dependent = given && isChoice(given, part) ? given : chooseByValue(problem, part, weights);
  selections.push({
    candidates: part.columns.map((column) => problem.ref(column, problem.d[column]! - stage)),
    constraints: part.rows,
    weights,
    dependent,
  });
  return dependent;
}

/**
 * Derivatives, and variables that were differentiated only by index reduction, are states only where nothing
 * else fits; among them the attributes of the variables still decide.
 */
function weightOf(problem: StateProblem, column: number, order: number): number {
  const select = problem.variables[column]!.stateSelect;
  const tie = { never: 0, avoid: 1, default: 2, prefer: 3, always: 4 }[select];
  if (select === 'never') return stateWeights.never;
  if (order >= 1) return stateWeights.introduced + tie;
  if (select === 'prefer' || select === 'always' || problem.differentiated(column))
    return stateWeights[select];
  return stateWeights.introduced + tie;
}

/** Notes a choice from constant coefficients; nothing but these and the weights of a mode is held on to. */
function noteChoice(
  { evaluate, decisions }: StateProblem,
  part: StagePart,
  weights: readonly number[],
  best: readonly number[],
): void {
  const about = part.rows.flatMap((row) => row.map(({ value }) => value));
  const constant = { evaluate, isConstant: () => true };
  decisions?.noteAll(about, () => sameItems(chooseByValue(constant, part, weights), best));
}

/**
 * By pivoting at the current values; where these are singular or missing, or would make what always is a state dependent, as if coefficients
 * were arbitrary numbers: a guess of values, as before initialisation, need not be where constraints are independent.
 */
function chooseByValue(
  problem: Pick<StateProblem, 'evaluate' | 'isConstant'>,
  part: StagePart,
  weights: readonly number[],
): number[] {
  const values = part.rows.map((row, i) =>
    row.map(({ column, value }) => {
      const number = problem.evaluate(value);
      return { column, value: Number.isFinite(number) ? number : arbitrary(i, column) };
    }),
  );
  const chosen = chooseColumns(values, weights);
  const isAlways = (k: number) => weights[k]! >= stateWeights.always;
  const isComplete = chosen.length === part.rows.length;
  if (isComplete && !chosen.some(isAlways)) return chosen;
  const generic = part.rows.map((row, i) =>
    row.map(({ column, value }, k) => ({
      column,
      value: problem.isConstant(value) ? values[i]![k]!.value : arbitrary(i, column),
    })),
  );
  const structural = chooseColumns(generic, weights);
  if (isComplete && structural.some(isAlways)) return chosen;
  return structural.length === part.rows.length ? structural : fillUp(structural, part, weights);
}

/** Whether some values make the submatrix of the columns regular. */
function isRegular(part: StagePart, columns: readonly number[]): boolean {
  const wanted = new Set(columns);
  const generic = part.rows.map((row, i) =>
    row
      .filter(({ column }) => wanted.has(column))
      .map(({ column }) => ({ column, value: arbitrary(i, column) })),
  );
  const weights = part.columns.map(() => stateWeights.default);
  return chooseColumns(generic, weights).length === part.rows.length;
}

/** Numbers without relations between them, of size about 1. */
function arbitrary(i: number, j: number): number {
  return 1 + ((i * 0.6180339887498949 + j * 0.41421356237309515 + i * j * 0.7320508075688772) % 1);
}

/** A Jacobian that is singular whatever the values: the least wanted columns, for the solver to report. */
function fillUp(chosen: readonly number[], part: StagePart, weights: readonly number[]): number[] {
  const missing = part.rows.length - chosen.length;
  const others = part.columns.map((_, k) => k).filter((k) => !chosen.includes(k));
  others.sort((p, q) => weights[p]! - weights[q]! || q - p);
  return [...chosen, ...others.slice(0, missing)].sort((p, q) => p - q);
}

/**
 * A choice whose submatrix is triangular with constant nonzero pivots, or undefined. Repeatedly takes the
 * least wanted column that stands in one remaining row only, with a constant coefficient there.
 */
function chooseTriangular(
  problem: StateProblem,
  part: StagePart,
  weights: readonly number[],
): number[] | undefined {
  const occurrences: { row: number; value: Expr }[][] = part.columns.map(() => []);
  part.rows.forEach((row, i) => {
    for (const { column, value } of row) occurrences[column]!.push({ row: i, value });
  });
  const count = occurrences.map((list) => list.length);
  const done = new Uint8Array(part.rows.length);
  const chosen: number[] = [];
  const isPivot = (k: number) => {
    const last = occurrences[k]!.find(({ row }) => !done[row])!;
    return problem.isConstant(last.value) && isPivotValue(problem, last.value);
  };
  const order = part.columns.map((_, k) => k).sort((p, q) => weights[p]! - weights[q]! || q - p);
  const rank = new Int32Array(order.length);
  order.forEach((column, place) => {
    rank[column] = place;
  });
  const due: number[] = [];
  for (const [k, times] of count.entries()) if (times === 1) pushHeap(due, rank[k]!);
  while (chosen.length < part.rows.length) {
    const place = popHeap(due);
    if (place === undefined) return undefined;
    const k = order[place]!;
    if (count[k] !== 1 || !isPivot(k)) continue;
    const { row } = occurrences[k]!.find((entry) => !done[entry.row])!;
    done[row] = 1;
    chosen.push(k);
    for (const { column } of part.rows[row]!) if (--count[column]! === 1) pushHeap(due, rank[column]!);
  }
  return chosen.sort((p, q) => p - q);
}

function isPivotValue({ evaluate, decisions }: StateProblem, value: Expr): boolean {
  const decide = () => evaluate(value) !== 0;
  const decision = decide();
  if (value.kind !== 'const') decisions?.noteAll([value], () => decide() === decision);
  return decision;
}

/** True where choice `a` leaves states at least as much wanted as choice `b`. */
function isAsGood(a: readonly number[], b: readonly number[], weights: readonly number[]): boolean {
  const sorted = (list: readonly number[]) => list.map((k) => weights[k]!).sort((p, q) => p - q);
  const left = sorted(a);
  return sorted(b).every((weight, k) => left[k]! <= weight);
}

function isChoice(dependent: readonly number[], part: StagePart): boolean {
  return (
    new Set(dependent).size === part.rows.length &&
    dependent.length === part.rows.length &&
    dependent.every((k) => Number.isInteger(k) && k >= 0 && k < part.columns.length)
  );
}
