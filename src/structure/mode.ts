/**
 * From the scalar equations of one mode to the order in which everything is computed: alias elimination,
 * hidden constraints, balance, offsets, index reduction, state selection, BLT and tearing of the whole system.
 *
 * Continuous equations determine continuous variables; every discrete-time equation determines the one symbol
 * that it assigns, or is one of several that determine theirs together. Only the continuous part has offsets: discrete-time variables are constant between events,
 * so their derivatives vanish. The blocks compute, from the states and time, every x_j^(k), k = 0 … d_j, that
 * is not a state, by means of every F_i^(k), k = 0 … c_i.
 */

import { type Incidence, incidenceOf } from '../collections/incidence.ts';
import { Matching } from '../collections/matching.ts';
import { remember } from '../collections/memo.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { incidence as ordersOf } from '../symbolic/analyse.ts';
import type { CallRule } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { eliminateAliases } from './alias.ts';
import type {
  Alias,
  Floating,
  ScalarEquation,
  ScalarVariable,
  SortedEquation,
  SortedMode,
  SortedVariable,
} from './analysis.ts';
import { keptApart } from './apart.ts';
import type { ExplainedNames } from './explain.ts';
import * as explain from './explain.ts';
import { dulmageMendelsohn, type GraphPart } from './graph/decomposition.ts';
import { findOffsets, highest, type Offsets } from './graph/offsets.ts';
import type { LastingAliases } from './lasting.ts';
import { type Revealed, revealConstraints } from './linear/integer.ts';
import { isNonzero, isParametric, type Knowledge } from './nonzero.ts';
import { Numbering } from './numbering.ts';
import { aboutOthers, divided, type HeldSign } from './oneway.ts';
import {
  type Coefficient,
  differentiateEquations,
  type LeadingRow,
  leadingRow,
  type Sides,
} from './reduce.ts';
import { type KnownBlocks, type SystemEquation, type SystemPart, sortSystem } from './sort.ts';
import { type StateSelection, selectStates } from './states.ts';
import { substitutesFor } from './substitutes.ts';
import { withoutZeros } from './zeros.ts';

export interface ModeOptions extends Knowledge, ExplainedNames {
  readonly calls?: CallRule | undefined;
  /** Dependent candidates of each dynamic selection; see `StateProblem.choices`. */
  readonly choices?: readonly (readonly number[] | undefined)[];
  readonly tearingLimit?: number;
  /** Why a variable that is known has no derivative. */
  readonly withoutDerivative?: (symbol: number) => string | undefined;
  /** Parameters that are zero for good. */
  readonly zeros?: ReadonlySet<number>;
  /** Whether time and discrete values alone decide on a relation. */
  readonly isTimed?: (relation: number) => boolean;
  /** Comparisons by which the mode is chosen. */
  readonly signs?: readonly HeldSign[];
  /** What is equal in all modes of the model. */
  readonly lasting?: LastingAliases | undefined;
  /** Blocks of the modes before. */
  readonly known?: KnownBlocks | undefined;
}

/** Either a mode, or what is wrong with it. */
export type ModeResult =
  | { readonly mode: SortedMode; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly mode: undefined;
      readonly diagnostics: readonly Diagnostic[];
      /** Equations that are too many, or that would have to be differentiated. */
      readonly equations: readonly number[];
    };

export function sortMode(
  pool: Pool,
  equations: readonly ScalarEquation[],
  variables: readonly ScalarVariable[],
  options: ModeOptions,
): ModeResult {
  const { lasting } = options;
  const different = lasting ? lasting.equationsOf(equations) : equations;
  const present = withoutZeros(pool, different, options.zeros ?? none);
  const differentiated = differentiatedSymbols(pool, present);
  const unknowns = lasting ? lasting.variablesOf(variables) : variables;
  const apart = lasting
    ? keptApart(pool, present, unknowns, differentiated, options.isTimed ?? (() => false))
    : differentiated;
  const reduced = eliminateAliases(pool, present, unknowns, apart);
  const aliases = lasting ? lasting.withOwn(reduced.aliases) : reduced.aliases;
  const free = new Set(variables.flatMap((v) => (differentiated.has(v.symbol) ? [] : [v.symbol])));
  const oneWay = divided(
    pool,
    { equations: reduced.equations, aliases },
    options.signs ?? [],
    equations,
    (symbol) => free.has(symbol),
    (expr) => isNonzero(expr, options),
  );
  const surplus = equations.length - variables.length;
  const isRegular = (changed: readonly ScalarEquation[], unknowns: readonly ScalarVariable[]) =>
    !new ModeProblem(pool, { equations: changed, floating: [] }, unknowns, [], options).singularity(0);
  const rest: Rest = { silent: new Set(), carried: new Map() };
  for (const stuck of oneWay.stuck ?? []) {
    const { symbol, silent, carried } = stuck;
    if (silent && (surplus !== 0 || !isRegular(aboutOthers(pool, equations, silent), variables))) continue;
    const indices = [...(silent?.keys() ?? [])].map((e) => e.index);
    if (!carried) return failed([explain.stuck(options, stuck)], indices);
    for (const index of indices) rest.silent.add(index);
    for (const own of carried) rest.carried.set(own, symbol);
  }
  const isDivided = oneWay.equations !== reduced.equations && isRegular(oneWay.equations, reduced.variables);
  const said = isDivided ? oneWay.equations : reduced.equations;
  const chosen =
    rest.silent.size === 0 ? said : said.map((e) => (rest.silent.has(e.index) ? silenced(pool, e) : e));
  const revealed = revealConstraints(pool, chosen, reduced.variables, differentiated, apart);
  const posed = (system: Revealed) => new ModeProblem(pool, system, reduced.variables, aliases, options);
  let problem = posed(revealed);
  const singular = problem.singularity(surplus);
  let system: Revealed | undefined = revealed;
  for (let left = singular; left; left = problem.singularity(surplus)) {
    system =
      surplus === 0
        ? withHeld(pool, system, reduced.variables, differentiated, left, rest.carried)
        : undefined;
    if (!system) return failed([singular!.diagnostic], singular!.equations);
    problem = posed(system);
  }
  return problem.solve(differentiated);
}

const none: ReadonlySet<number> = new Set();

/** Where flows are zero: equations that then say nothing, by index, and what the flows would carry, with the flow. */
interface Rest {
  readonly silent: Set<number>;
  readonly carried: Map<number, number>;
}

const silenced = (pool: Pool, equation: ScalarEquation): ScalarEquation => ({
  ...equation,
  left: pool.zero,
  right: pool.zero,
});

/**
 * Where an equation says nothing that others do not say (`0 = 0`), and one is missing elsewhere, a potential there keeps its value: the pressure in a pipe that is shut at both ends; or
 * what would be `carried` by a flow that is zero. Potentials may be chosen only where nothing else depends on them: no flows, and nothing that is integrated. One after the other, where
 * there are several.
 */
function withHeld(
  pool: Pool,
  { equations, floating }: Revealed,
  variables: readonly ScalarVariable[],
  differentiated: ReadonlySet<number>,
  { parts }: { readonly parts: { readonly over: GraphPart; readonly under: GraphPart } },
  carried: ReadonlyMap<number, number>,
): Revealed | undefined {
  const { over, under } = parts;
  const [position] = over.rows;
  if (position === undefined || over.columns.length > 0) return undefined;
  const original = equations[position]!;
  if (pool.sub(original.left, original.right) !== pool.zero) return undefined;
  const open = under.columns.map((j) => variables[j]!);
  const isClosed = open.some(({ symbol, flow }) => flow === true || differentiated.has(symbol));
  const held =
    open.find(({ symbol }) => carried.has(symbol)) ??
    (isClosed ? undefined : open.findLast(({ potential }) => potential === true));
  if (!held) return undefined;
  const carrier = carried.get(held.symbol);
  const changed = equations.slice();
  changed[position] = { ...original, left: pool.ref(held.symbol), right: pool.pre(held.symbol) };
  return {
    equations: changed,
    floating: [
      ...floating,
      { symbol: held.symbol, held: true, alone: true, ...(carrier !== undefined && { carrier }) },
    ],
  };
}

function failed(diagnostics: readonly Diagnostic[], equations: readonly number[] = []): ModeResult {
  return { mode: undefined, diagnostics, equations };
}

function differentiatedSymbols(pool: Pool, equations: readonly ScalarEquation[]): Set<number> {
  const found = new Set<number>();
  for (const equation of equations) {
    const { symbols, orders } = residualOf(pool, equation);
    for (let k = 0; k < symbols.length; k++) if (orders[k]! > 0) found.add(symbols[k]!);
  }
  return found;
}

/** What cancels in `left - right` is not there: the structure is read from the residual. */
interface ResidualEquation extends ScalarEquation {
  readonly residual: Expr;
  /** Symbols in the residual, and the highest order of each. */
  readonly symbols: Int32Array;
  readonly orders: Int32Array;
  /** The equation without derivatives of it, as it is sorted. */
  readonly itself: SystemEquation;
  /** The same as part of a sorted mode. */
  readonly sorted: SortedEquation;
  /** Rows of the leading Jacobian, by which of the symbols are tight. */
  readonly rows: Map<number, LeadingRow>;
}

/** Equations are shared by modes, and so is what is read from them. */
const residualEquations = new WeakMap<ScalarEquation, ResidualEquation>();

function residualOf(pool: Pool, equation: ScalarEquation): ResidualEquation {
  return remember(residualEquations, equation, () => {
    const { left, right, assigns, joins, index } = equation;
    const residual = pool.sub(left, right);
    const orders = ordersOf(residual);
    // One literal: see `signalOf` in `record.ts`.
    return {
      left,
      right,
      assigns,
      joins,
      index,
      residual,
      symbols: Int32Array.from(orders.keys()),
      orders: Int32Array.from(orders.values()),
      itself: { left, right, index, residual, ...(assigns !== undefined && { assigns: pool.ref(assigns) }) },
      sorted: { index, c: 0, residuals: [residual] },
      rows: new Map(),
    };
  });
}

interface Attempt {
  readonly result: ModeResult;
  readonly offsets: Offsets;
  /** Columns with stateSelect=never that would be states. */
  readonly forbidden: readonly number[];
  /** False where something else is wrong. */
  readonly isComplete: boolean;
}

class ModeProblem {
  private readonly floating: readonly Floating[];
  private readonly equations: readonly ResidualEquation[];
  /** The continuous part: equations are rows, variables columns of the Sigma-method. */
  private readonly rows: readonly ResidualEquation[];
  private readonly columns: readonly ScalarVariable[];
  private readonly columnOf: Numbering;
  private readonly discrete = new Set<number>();

  constructor(
    private readonly pool: Pool,
    { equations, floating }: Revealed,
    private readonly variables: readonly ScalarVariable[],
    private readonly aliases: readonly Alias[],
    private readonly options: ModeOptions,
  ) {
    this.floating = floating;
    this.equations = equations.map((e) => residualOf(pool, e));
    for (const { assigns } of equations) if (assigns !== undefined) this.discrete.add(assigns);
    for (const variable of variables) if (variable.discrete) this.discrete.add(variable.symbol);
    this.rows = this.equations.filter(({ assigns, joins }) => assigns === undefined && joins === undefined);
    this.columns = variables.filter(({ symbol }) => !this.discrete.has(symbol));
    this.columnOf = new Numbering(this.columns);
  }

  /** Why not every equation can have a variable; `surplus` is equations minus variables as written. */
  singularity(
    surplus: number,
  ):
    | { diagnostic: Diagnostic; equations: readonly number[]; parts: { over: GraphPart; under: GraphPart } }
    | undefined {
    const position = new Numbering(this.variables);
    const lists = this.equations.map((equation) => {
      const own = equation.assigns ?? equation.joins;
      if (own !== undefined) {
        const only = position.of(own);
        return only < 0 ? [] : [only];
      }
      const list: number[] = [];
      for (const symbol of equation.symbols) if (this.columnOf.has(symbol)) list.push(position.of(symbol));
      return list;
    });
    const matching = new Matching(incidenceOf(lists, this.variables.length)).maximise();
    if (surplus === 0 && matching.size === this.equations.length) return undefined;
    const { over, under } = dulmageMendelsohn(matching);
    const named = (part: GraphPart) => ({
      equations: part.rows.map((i) => this.equations[i]!.index),
      symbols: part.columns.map((j) => this.variables[j]!.symbol),
    });
    const parts = { over: named(over), under: named(under) };
    const unknowns = this.variables.length + this.aliases.length;
    const diagnostic =
      surplus === 0
        ? explain.structurallySingular(this.options, parts)
        : explain.unbalanced(this.options, unknowns + surplus, unknowns, parts);
    return { diagnostic, equations: parts.over.equations, parts: { over, under } };
  }

  /** Where a variable would be a state that must not be one, others are differentiated in its place. */
  solve(differentiated: ReadonlySet<number>): ModeResult {
    const { graph, sigma } = this.structure();
    const minimum = this.minimalOrders();
    let best = this.attempt(differentiated, findOffsets(graph, sigma, minimum));
    for (let k = 0; k < best.forbidden.length; ) {
      const substitutes = substitutesFor(best.forbidden[k]!, graph, sigma, best.offsets, (j) =>
        ['never', 'avoid', 'default', 'prefer', 'always'].indexOf(this.columns[j]!.stateSelect),
      );
      const relieved = substitutes.find((column) => {
        minimum[column] = 1;
        const trial = this.attempt(differentiated, findOffsets(graph, sigma, minimum));
        const isBetter = trial.isComplete && trial.forbidden.length < best.forbidden.length;
        if (isBetter) best = trial;
        else minimum[column] = 0;
        return isBetter;
      });
      k = relieved === undefined ? k + 1 : 0;
    }
    return this.preferring(best, minimum, (orders) =>
      this.attempt(differentiated, findOffsets(graph, sigma, orders)),
    );
  }

  /**
   * Algebraic variables with stateSelect=prefer are states instead of others that are integrated without being preferred (specification 4.9.7.1), as the pressure and temperature of a
   * medium instead of its mass and energy: then these follow from what is integrated, and need no system of equations. Where that does not succeed, or gains nothing, all stays
   * as it is.
   */
  private preferring(
    best: Attempt,
    minimum: Int32Array,
    attempt: (minimum: Int32Array) => Attempt,
  ): ModeResult {
    const { mode } = best.result;
    const selectOf = new Map(this.columns.map(({ symbol, stateSelect }) => [symbol, stateSelect]));
    const isPreferred = ({ symbol, order }: Ref) => order === 0 && selectOf.get(symbol) === 'prefer';
    const isReplaceable = ({ symbol }: Ref) => /avoid|default/.test(selectOf.get(symbol)!);
    if (!mode?.states.some(isReplaceable)) return best.result;
    const wanted = this.columns.map(
      ({ stateSelect }, j) => stateSelect === 'prefer' && best.offsets.d[j] === 0,
    );
    if (!wanted.includes(true)) return best.result;
    const isGain = ({ result }: Attempt, before: SortedMode) =>
      result.mode !== undefined &&
      result.mode.states.length === before.states.length &&
      result.mode.states.filter(isPreferred).length > before.states.filter(isPreferred).length;
    const all = attempt(minimum.map((order, j) => (wanted[j] ? 1 : order)));
    if (!isGain(all, mode)) return best.result;
    // Those that did not become states need no derivatives for their own sake.
    const chosen = new Set(all.result.mode!.states.map(({ symbol }) => symbol));
    const isNeeded = (j: number) => wanted[j] && chosen.has(this.columns[j]!.symbol);
    if (wanted.every((isWanted, j) => !isWanted || isNeeded(j))) return all.result;
    const fewer = attempt(minimum.map((order, j) => (isNeeded(j) ? 1 : order)));
    return isGain(fewer, mode) ? fewer.result : all.result;
  }

  /** The mode with these offsets; `forbidden` are columns with stateSelect=never that would be states. */
  private attempt(differentiated: ReadonlySet<number>, offsets: Offsets): Attempt {
    const incomplete = (result: ModeResult) => ({ result, offsets, forbidden: [], isComplete: false });
    const isConstant = (symbol: number) => this.options.isParameter(symbol) || !this.columnOf.has(symbol);
    const { derivatives, problems } = differentiateEquations(
      this.pool,
      this.options.calls,
      this.rows,
      offsets.c,
      isConstant,
      this.options.withoutDerivative,
    );
    if (problems.length > 0) {
      return incomplete(
        failed(
          problems.map(({ row, reason }) => this.notDifferentiable(row, reason)),
          problems.map(({ row }) => this.rows[row]!.index),
        ),
      );
    }
    const leading = this.leadingJacobian(offsets);
    if (leading.problems.length > 0) return incomplete(failed(leading.problems));
    const selection = selectStates({
      c: offsets.c,
      d: offsets.d,
      leading: (i) =>
        leading.rows[i]!.map(({ symbol, value }) => ({ column: this.columnOf.of(symbol), value })),
      variables: this.columns,
      differentiated: (j) => differentiated.has(this.columns[j]!.symbol),
      ref: (j, order) => this.pool.ref(this.columns[j]!.symbol, order),
      isConstant: (value) => isParametric(value, this.options),
      evaluate: this.options.evaluate ?? (() => Number.NaN),
      decisions: this.options.decisions,
      choices: this.options.choices,
    });
    const { forbidden } = selection;
    const refused = this.refusedStates(selection);
    if (refused.length > forbidden.length) return incomplete(failed(refused));
    const result =
      refused.length > 0 ? failed(refused) : this.assemble(offsets, derivatives, leading.rows, selection);
    return { result, offsets, forbidden, isComplete: refused.length > 0 || result.mode !== undefined };
  }

  /** Incidence and highest orders of the continuous part. */
  private structure(): { graph: Incidence; sigma: Int32Array } {
    const lists: number[][] = [];
    const sigma: number[] = [];
    for (const { symbols, orders } of this.rows) {
      pulse();
      const columns: number[] = [];
      for (let k = 0; k < symbols.length; k++) {
        const column = this.columnOf.of(symbols[k]!);
        if (column < 0) continue;
        columns.push(column);
        sigma.push(orders[k]!);
      }
      lists.push(columns);
    }
    return { graph: incidenceOf(lists, this.columns.length), sigma: Int32Array.from(sigma) };
  }

  /** Derivatives that stateSelect=always and discrete-time equations need, whatever the others contain. */
  private minimalOrders(): Int32Array {
    const minimum = Int32Array.from(this.columns, ({ stateSelect }) => (stateSelect === 'always' ? 1 : 0));
    for (const { symbols, orders, assigns } of this.equations) {
      if (assigns === undefined) continue;
      for (let k = 0; k < symbols.length; k++) {
        const column = this.columnOf.of(symbols[k]!);
        if (column >= 0) minimum[column] = Math.max(minimum[column]!, orders[k]!);
      }
    }
    return minimum;
  }

  /** Coefficients of rows that are not differentiated may be unknown (NaN): only restarts ask for them. */
  private leadingJacobian({ c, d }: Offsets) {
    const problems: Diagnostic[] = [];
    const rows = this.rows.map((equation, i): readonly Coefficient[] => {
      const { values, reason } = this.leadingRow(equation, c[i]!, d);
      if (reason !== undefined && c[i]! > 0) problems.push(this.notDifferentiable(i, reason));
      return values;
    });
    return { rows, problems };
  }

  /** The row of an equation that is differentiated c times; remembered where a number can tell the tight symbols. */
  private leadingRow(equation: ResidualEquation, c: number, d: Int32Array): LeadingRow {
    const { symbols, orders, rows } = equation;
    const isTight = (k: number): boolean => {
      const column = this.columnOf.of(symbols[k]!);
      return column >= 0 && d[column]! - c === orders[k];
    };
    if (symbols.length > 31) return this.newLeadingRow(equation, isTight);
    let tight = 0;
    for (let k = 0; k < symbols.length; k++) if (isTight(k)) tight |= 1 << k;
    return remember(rows, tight, () => this.newLeadingRow(equation, isTight));
  }

  private newLeadingRow(
    { residual, symbols, orders }: ResidualEquation,
    isTight: (k: number) => boolean,
  ): LeadingRow {
    const { pool } = this;
    const tight = new Set<Expr>();
    for (let k = 0; k < symbols.length; k++) if (isTight(k)) tight.add(pool.ref(symbols[k]!, orders[k]!));
    return leadingRow(pool, this.options.calls, residual, tight);
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
      return failed([explain.structurallySingular(this.options, parts)], parts.over.equations);
    }
    const mode: SortedMode = {
      aliases: this.aliases,
      equations: this.rows.map((row, i) => sortedEquation(this.pool, row, derivatives[i]!)),
      variables: this.columns.map((variable, j) => sortedVariable(variable, offsets.d[j]!)),
      leading,
      states,
      blocks: result.blocks,
      selections: selection.selections,
      floating: this.floating,
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
    this.rows.forEach(({ index, itself }, i) => {
      all.push(itself);
      for (let k = 1; k < derivatives[i]!.length; k++) {
        const { left, right } = derivatives[i]![k]!;
        all.push({ left, right, index });
      }
    });
    for (const { itself, assigns, joins } of this.equations)
      if (assigns !== undefined || joins !== undefined) all.push(itself);
    return all;
  }

  /** Eliminated aliases are algebraic variables as users see them. */
  private indexOf({ c, index }: Offsets): number {
    if (this.aliases.length === 0) return index;
    return highest(c) + 1;
  }
}

/** Variables with their offsets, by d: modes share them. */
const sortedVariables = new WeakMap<ScalarVariable, SortedVariable[]>();

function sortedVariable(variable: ScalarVariable, d: number): SortedVariable {
  const known = remember(sortedVariables, variable, () => []);
  for (let k = known.length; k <= d; k++) known.push({ symbol: variable.symbol, d: k });
  return known[d]!;
}

function sortedEquation(pool: Pool, row: ResidualEquation, derivatives: readonly Sides[]): SortedEquation {
  if (derivatives.length === 1) return row.sorted;
  const residuals = derivatives.map(({ left, right }, k) => (k === 0 ? row.residual : pool.sub(left, right)));
  return { index: row.index, c: derivatives.length - 1, residuals };
}
