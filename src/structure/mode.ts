/**
 * From the scalar equations of one mode to the order in which everything is computed: alias elimination,
 * balance, offsets, index reduction, state selection, BLT and tearing of the whole system.
 *
 * Continuous equations determine continuous variables; every discrete-time equation determines the one symbol
 * that it assigns. Only the continuous part has offsets: discrete-time variables are constant between events,
 * so their derivatives vanish. The blocks compute, from the states and time, every x_j^(k), k = 0 … d_j, that
 * is not a state, by means of every F_i^(k), k = 0 … c_i.
 */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { leaves, incidence as ordersOf } from '../symbolic/analyse.ts';
import type { CallRule } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { eliminateAliases } from './alias.ts';
import type { Names } from './explain.ts';
import * as explain from './explain.ts';
import { type Incidence, incidenceOf } from './incidence.ts';
import { dulmageMendelsohn, Matching, type Part } from './matching.ts';
import { isParametric, type Knowledge } from './nonzero.ts';
import { findOffsets, type Offsets } from './offsets.ts';
import { type Coefficient, differentiateEquations, leadingRow, type Sides } from './reduce.ts';
import { type SystemEquation, type SystemPart, sortSystem } from './sort.ts';
import type { Alias, ScalarEquation, ScalarVariable, SortedMode } from './sorted.ts';
import { type StateSelection, selectStates } from './states.ts';

export interface ModeOptions extends Knowledge, Names {
  readonly calls?: CallRule | undefined;
  /** Dependent candidates of each dynamic selection; see `StateProblem.choices`. */
  readonly choices?: readonly (readonly number[] | undefined)[];
  readonly tearingLimit?: number;
}

/** Either a mode, or what is wrong with it. */
export type ModeResult =
  | { readonly mode: SortedMode; readonly diagnostics: readonly Diagnostic[] }
  | { readonly mode: undefined; readonly diagnostics: readonly Diagnostic[] };

export function sortMode(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  options: ModeOptions,
): ModeResult {
  const differentiated = differentiatedSymbols(pool, equations);
  const reduced = eliminateAliases(pool, equations, variables, differentiated);
  const problem = new ModeProblem(pool, reduced.equations, reduced.variables, reduced.aliases, options);
  const singular = problem.singularity(equations.length - variables.length);
  if (singular) return failed([singular]);
  return problem.solve(differentiated);
}

function failed(diagnostics: readonly Diagnostic[]): ModeResult {
  return { mode: undefined, diagnostics };
}

function differentiatedSymbols(pool: Pool, equations: readonly ScalarEquation[]): Set<number> {
  const symbols = new Set<number>();
  for (const { left, right } of equations) {
    for (const leaf of leaves(pool.sub(left, right))) {
      if (leaf.kind === 'ref' && leaf.order > 0) symbols.add(leaf.symbol);
    }
  }
  return symbols;
}

/** What cancels in `left - right` is not there: the structure is read from the residual. */
interface ResidualEquation extends ScalarEquation {
  readonly residual: Expr;
}

class ModeProblem {
  private readonly pool: Pool;
  private readonly options: ModeOptions;
  private readonly aliases: readonly Alias[];
  private readonly equations: readonly ResidualEquation[];
  private readonly variables: readonly ScalarVariable[];
  /** The continuous part: equations are rows, variables columns of the Sigma-method. */
  private readonly rows: readonly ResidualEquation[];
  private readonly columns: readonly ScalarVariable[];
  private readonly columnOf = new Map<number, number>();
  private readonly discrete = new Set<number>();

  constructor(
    pool: Pool,
    equations: readonly ScalarEquation[],
    variables: readonly ScalarVariable[],
    aliases: readonly Alias[],
    options: ModeOptions,
  ) {
    this.pool = pool;
    this.options = options;
    this.aliases = aliases;
    this.equations = equations.map((e) => ({ ...e, residual: pool.sub(e.left, e.right) }));
    this.variables = variables;
    for (const { assigns } of equations) if (assigns !== undefined) this.discrete.add(assigns);
    for (const variable of variables) if (variable.discrete) this.discrete.add(variable.symbol);
    this.rows = this.equations.filter(({ assigns }) => assigns === undefined);
    this.columns = variables.filter(({ symbol }) => !this.discrete.has(symbol));
    this.columns.forEach(({ symbol }, j) => {
      this.columnOf.set(symbol, j);
    });
  }

  /** Why not every equation can have a variable; `surplus` is equations minus variables as written. */
  singularity(surplus: number): Diagnostic | undefined {
    const position = new Map(this.variables.map(({ symbol }, j) => [symbol, j]));
    const lists = this.equations.map((equation) => {
      if (equation.assigns !== undefined) {
        const only = position.get(equation.assigns);
        return only === undefined ? [] : [only];
      }
      const symbols = [...ordersOf(equation.residual).keys()].filter((symbol) => this.columnOf.has(symbol));
      return symbols.map((symbol) => position.get(symbol)!);
    });
    const matching = new Matching(incidenceOf(lists, this.variables.length)).maximise();
    if (surplus === 0 && matching.size === this.equations.length) return undefined;
    const { over, under } = dulmageMendelsohn(matching);
    const named = (part: Part) => ({
      equations: part.rows.map((i) => this.equations[i]!.index),
      symbols: part.columns.map((j) => this.variables[j]!.symbol),
    });
    const parts = { over: named(over), under: named(under) };
    if (surplus === 0) return explain.structurallySingular(this.options, parts);
    const unknowns = this.variables.length + this.aliases.length;
    return explain.unbalanced(this.options, unknowns + surplus, unknowns, parts);
  }

  solve(differentiated: ReadonlySet<number>): ModeResult {
    const { graph, sigma } = this.structure();
    const offsets = findOffsets(graph, sigma, this.minimalOrders());
    const isConstant = (symbol: number) => this.options.isParameter(symbol) || !this.columnOf.has(symbol);
    const { derivatives, problems } = differentiateEquations(
      this.pool,
      this.options.calls,
      this.rows,
      offsets.c,
      isConstant,
    );
    if (problems.length > 0)
      return failed(problems.map(({ row, reason }) => this.notDifferentiable(row, reason)));
    const leading = this.leadingJacobian(graph, sigma, offsets);
    if (leading.problems.length > 0) return failed(leading.problems);
    const selection = selectStates({
      c: offsets.c,
      d: offsets.d,
      leading: leading.rows,
      variables: this.columns,
      differentiated: (j) => differentiated.has(this.columns[j]!.symbol),
      ref: (j, order) => this.pool.ref(this.columns[j]!.symbol, order),
      zero: this.pool.zero,
      isConstant: (value) => isParametric(value, this.options),
      evaluate: this.options.evaluate ?? (() => Number.NaN),
      choices: this.options.choices,
    });
    const refused = this.refusedStates(selection);
    if (refused.length > 0) return failed(refused);
    return this.assemble(offsets, derivatives, leading.rows, selection);
  }

  /** Incidence and highest orders of the continuous part. */
  private structure(): { graph: Incidence; sigma: Int32Array } {
    const lists: number[][] = [];
    const sigma: number[] = [];
    for (const { residual } of this.rows) {
      const columns: number[] = [];
      for (const [symbol, order] of ordersOf(residual)) {
        const column = this.columnOf.get(symbol);
        if (column === undefined) continue;
        columns.push(column);
        sigma.push(order);
      }
      lists.push(columns);
    }
    return { graph: incidenceOf(lists, this.columns.length), sigma: Int32Array.from(sigma) };
  }

  /** Derivatives that stateSelect=always and discrete-time equations need, whatever the others contain. */
  private minimalOrders(): Int32Array {
    const minimum = Int32Array.from(this.columns, ({ stateSelect }) => (stateSelect === 'always' ? 1 : 0));
    for (const { residual, assigns } of this.equations) {
      if (assigns === undefined) continue;
      for (const [symbol, order] of ordersOf(residual)) {
        const column = this.columnOf.get(symbol);
        if (column !== undefined) minimum[column] = Math.max(minimum[column]!, order);
      }
    }
    return minimum;
  }

  /** Coefficients of rows that are not differentiated may be unknown (NaN): only restarts ask for them. */
  private leadingJacobian(graph: Incidence, sigma: Int32Array, { c, d }: Offsets) {
    const problems: Diagnostic[] = [];
    const rows = this.rows.map(({ residual }, i): readonly Coefficient[] => {
      const tight = new Map<Ref, number>();
      for (let e = graph.starts[i]!; e < graph.starts[i + 1]!; e++) {
        const j = graph.targets[e]!;
        if (d[j]! - c[i]! === sigma[e]) tight.set(this.pool.ref(this.columns[j]!.symbol, sigma[e]!), j);
      }
      const { row, reason } = leadingRow(this.pool, this.options.calls, residual, tight);
      if (reason === undefined) return row;
      if (c[i]! > 0) problems.push(this.notDifferentiable(i, reason));
      const unknown = this.pool.const(Number.NaN);
      return [...tight.values()].sort((p, q) => p - q).map((column) => ({ column, value: unknown }));
    });
    return { rows, problems };
  }

  private notDifferentiable(row: number, reason: string): Diagnostic {
    return explain.notDifferentiable(this.options, this.rows[row]!.index, reason);
  }

  private refusedStates({ constrained, forbidden }: StateSelection): Diagnostic[] {
    const symbolOf = (j: number) => this.columns[j]!.symbol;
    return [
      ...constrained.map(({ column, others }) =>
        explain.constrainedState(this.options, symbolOf(column), others.map(symbolOf)),
      ),
      ...forbidden.map((column) => explain.forbiddenState(this.options, symbolOf(column))),
    ];
  }

  private assemble(
    offsets: Offsets,
    derivatives: readonly (readonly Sides[])[],
    leading: readonly (readonly Coefficient[])[],
    selection: StateSelection,
  ): ModeResult {
    const { states, unknowns } = this.statesAndUnknowns(offsets.d, selection.stages);
    const equations = this.allEquations(derivatives);
    const options = { ...this.options, isDiscrete: (symbol: number) => this.discrete.has(symbol) };
    const result = sortSystem(this.pool, { equations, unknowns }, options);
    if (result.kind === 'singular') {
      const named = (part: SystemPart) => ({
        equations: [...new Set(part.equations.map((i) => equations[i]!.index))],
        symbols: [...new Set(part.unknowns.map(({ symbol }) => symbol))],
      });
      const parts = { over: named(result.over), under: named(result.under) };
      return failed([explain.structurallySingular(this.options, parts)]);
    }
    const mode: SortedMode = {
      aliases: this.aliases,
      equations: this.rows.map(({ index }, i) => ({
        index,
        c: offsets.c[i]!,
        residuals: derivatives[i]!.map(({ left, right }) => this.pool.sub(left, right)),
      })),
      variables: this.columns.map(({ symbol }, j) => ({ symbol, d: offsets.d[j]! })),
      leading,
      states,
      blocks: result.blocks,
      selections: selection.selections,
      index: this.indexOf(offsets),
      diagnostics: [],
    };
    return { mode, diagnostics: [] };
  }

  private statesAndUnknowns(d: Int32Array, stages: Int32Array): { states: Ref[]; unknowns: Ref[] } {
    const states: Ref[] = [];
    const unknowns: Ref[] = [];
    this.columns.forEach(({ symbol }, j) => {
      for (let order = 0; order <= d[j]!; order++) {
        const list = order < d[j]! - stages[j]! ? states : unknowns;
        list.push(this.pool.ref(symbol, order));
      }
    });
    for (const { symbol } of this.variables)
      if (this.discrete.has(symbol)) unknowns.push(this.pool.ref(symbol));
    return { states, unknowns };
  }

  private allEquations(derivatives: readonly (readonly Sides[])[]): SystemEquation[] {
    const all: SystemEquation[] = [];
    this.rows.forEach(({ index }, i) => {
      for (const { left, right } of derivatives[i]!) all.push({ left, right, index });
    });
    for (const { left, right, assigns, index } of this.equations) {
      if (assigns !== undefined) all.push({ left, right, assigns: this.pool.ref(assigns), index });
    }
    return all;
  }

  /** Eliminated aliases are algebraic variables as users see them. */
  private indexOf({ c, index }: Offsets): number {
    if (this.aliases.length === 0) return index;
    let highest = 0;
    for (const value of c) if (value > highest) highest = value;
    return highest + 1;
  }
}
