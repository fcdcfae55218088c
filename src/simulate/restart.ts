/**
 * Values after a change of mode. With the offsets c, d of the new mode, call the level of x_j^(k) the number d_j - k: leading
 * variables (level 0) may contain a Dirac impulse, values of level 1 may then jump, all below are continuous.
 * Equations that the new mode does not differentiate (c_i = 0) are balances: integrated over the instant they say
 * that the jumps and impulse weights, multiplied by the leading Jacobian, add up to zero. Constraints
 * (c_i >= 1) hold after the change in the derivative that fixes level 1. This is a square system with the Jacobian of
 * the new mode itself, so it is regular whenever the mode is, and without over-constraint its solution is "no jump".
 */
import { type Plan, planBlocks } from '../code/plan.ts';
import type { Program } from '../code/unit.ts';
import { type Diagnostic, error, Failure, type Note } from '../diagnostic/diagnostic.ts';
import { incidenceOf } from '../structure/incidence.ts';
import { Matching } from '../structure/matching.ts';
import { type SystemEquation, sortSystem } from '../structure/sort.ts';
import type { Alias, SortedMode, SortedVariable } from '../structure/sorted.ts';
import { leaves, substitute } from '../symbolic/analyse.ts';
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { CompiledMode } from './compiled.ts';
import { explainSystem } from './explain.ts';
import type { Runtime } from './runtime.ts';
import { SystemSolver } from './systems.ts';

/** Impulses smaller than this share of the values involved are rounding. */
const negligibleImpulse = 1e-9;
/** How far constraints of lower order may be violated before a change counts as impossible, relative to their terms. */
const constraintTolerance = 1e-5;

export interface Weight {
  readonly symbol: number;
  readonly weight: number;
}

/**
 * Computes the values after entering `mode` from the left limits in the memory. `existed` tells by scalar which variables
 * have a left limit. Gives the weights of impulses.
 */
export class Restart {
  private readonly runtime: Runtime;
  private readonly mode: CompiledMode;
  /** Variables that need a value to begin with, and aliases with one of their own. */
  private readonly begun: readonly SortedVariable[];
  private readonly fixedAliases: readonly Alias[];
  /** Whether anything can jump. */
  private readonly constrained: boolean;
  /** Constraints below the level that may jump. */
  private readonly firm: readonly { readonly index: number; readonly residual: Expr }[];
  /** Solvers by which variables are new. */
  private readonly solvers = new Map<
    string,
    { readonly places: readonly PlaceSystem[]; readonly jumps: JumpSystem }
  >();

  constructor(runtime: Runtime, mode: CompiledMode) {
    this.runtime = runtime;
    this.mode = mode;
    const { variables, aliases, equations } = mode.sorted;
    this.begun = variables.filter(({ d }) => d > 0);
    this.fixedAliases = aliases.filter(({ symbol }) => runtime.model.scalars[symbol]!.fixed);
    this.constrained = equations.some(({ c }) => c > 0);
    this.firm = equations.flatMap(({ index, c, residuals }) =>
      residuals.slice(0, Math.max(0, c - 1)).map((residual) => ({ index, residual })),
    );
  }

  run(existed: Uint8Array): Weight[] {
    const { scalars } = this.runtime.model;
    const fresh: number[] = [];
    for (const { symbol } of this.begun) {
      if (existed[symbol]) continue;
      if (scalars[symbol]!.fixed || !this.inherits(symbol, existed)) fresh.push(symbol);
    }
    for (const symbol of fresh) this.setToStart(symbol);
    for (const { symbol, target, sign } of this.fixedAliases) {
      if (existed[symbol]) continue;
      this.setToStart(symbol);
      this.runtime.set(this.runtime.pool.ref(target), sign * this.runtime.get(this.runtime.pool.ref(symbol)));
    }
    if (!this.constrained) return [];
    const free = new Set(fresh.filter((symbol) => !scalars[symbol]!.fixed));
    const key = [...free].join(' ');
    let systems = this.solvers.get(key);
    if (!systems) {
      systems = this.runtime.temporaries.scratch(() => this.prepare(free));
      this.solvers.set(key, systems);
    }
    for (const system of systems.places) system.solve();
    const weights = systems.jumps.solve();
    this.checkConstraints();
    return weights;
  }

  /** The systems to be solved where `free` variables are new, lowest derivatives first. */
  private prepare(free: ReadonlySet<number>): { places: PlaceSystem[]; jumps: JumpSystem } {
    const places: PlaceSystem[] = [];
    let highest = 0;
    for (const { symbol, d } of this.begun) if (free.has(symbol)) highest = Math.max(highest, d);
    for (let level = highest; level >= 2; level--) {
      places.push(new PlaceSystem(this.runtime, this.mode, free, level));
    }
    return { places, jumps: new JumpSystem(this.runtime, this.mode, free) };
  }

  /** A variable without a left limit and start value of its own may be the alias of one that has. */
  private inherits(symbol: number, existed: Uint8Array): boolean {
    const { pool } = this.runtime;
    for (const alias of this.mode.sorted.aliases) {
      if (alias.target !== symbol || !existed[alias.symbol]) continue;
      this.runtime.set(pool.ref(symbol), alias.sign * this.runtime.get(pool.ref(alias.symbol)));
      return true;
    }
    return false;
  }

  private setToStart(symbol: number): void {
    const { start } = this.runtime.model.scalars[symbol]!;
    this.runtime.set(this.runtime.pool.ref(symbol), start ? this.runtime.evaluate(start) : 0);
  }

  /** Constraints below the level that may jump must hold with the values at hand. */
  private checkConstraints(): void {
    for (const { index, residual } of this.firm) {
      const value = this.runtime.evaluate(residual);
      if (Math.abs(value) <= constraintTolerance) continue;
      if (Math.abs(value) <= constraintTolerance * this.magnitude(residual)) continue;
      throw new Failure('simulate', [this.impossible(index, value)]);
    }
  }

  /** Size of the terms of a residual: the sum of |dF/dx * x|, at least 1. */
  private magnitude(residual: Expr): number {
    const { runtime } = this;
    const slopes = gradient(runtime.pool, residual, (e) => e.kind === 'ref', runtime.calls).value;
    let sum = 1;
    for (const [leaf, slope] of slopes ?? []) sum += Math.abs(runtime.evaluate(slope) * runtime.get(leaf));
    return sum;
  }

  private impossible(index: number, residual: number): Diagnostic {
    const { text, origin } = this.runtime.describeEquation(index);
    const time = this.runtime.get(this.runtime.pool.time);
    const { signature } = this.mode.mode;
    const where = signature ? ` (mode: ${signature})` : '';
    return error(
      'impossible-change',
      `The change of mode at time ${time} is impossible${where}: the constraint ${text} is violated by ${residual}, and positions cannot jump.`,
      {
        span: origin.span,
        hint: 'Let the change happen only when the constraint holds, or set the values with reinit.',
      },
    );
  }
}

/** By equation and by variable: whether it takes part in jumps. */
interface Affected {
  readonly rows: Uint8Array;
  readonly columns: Uint8Array;
}

/** The system for jumps and weights; it depends on which variables bring no value of their own. */
class JumpSystem {
  private readonly runtime: Runtime;
  private readonly aliases: ReadonlyMap<number, readonly Alias[]>;
  private readonly solution: Solution;
  /** Slots of the variables of level 1 and of their left limits. */
  private readonly levelOne: Int32Array;
  private readonly left: Int32Array;
  /** Variables that may have impulses, and the slots of their weights. */
  private readonly symbols: readonly number[];
  private readonly weights: Int32Array;

  constructor(runtime: Runtime, mode: CompiledMode, free: ReadonlySet<number>) {
    this.runtime = runtime;
    this.aliases = byTarget(mode.sorted.aliases);
    const { pool } = runtime;
    const { variables, equations, leading } = mode.sorted;
    const moving = affected(pool, mode.sorted, free);
    const levelOne: { unknown: Ref; left: Ref }[] = [];
    const weights: { symbol: number; leaf: Ref }[] = [];
    /** By column: the jump or weight as an expression; undefined for new variables, and where there is no jump. */
    const change = variables.map(({ symbol, d }, column): Expr | undefined => {
      if (!moving.columns[column]) return undefined;
      if (d === 0) {
        const leaf = runtime.temporaries.fresh();
        weights.push({ symbol, leaf });
        return leaf;
      }
      const unknown = pool.ref(symbol, d - 1);
      const left = runtime.temporaries.fresh();
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
      for (const { column, value } of leading[i]!) {
        if (!change[column]) continue;
        const coefficient = substitute(pool, value, (leaf) => leftOf.get(leaf));
        balance = pool.add(balance, pool.mul(coefficient, change[column]));
      }
      rows.push({ left: balance, right: pool.zero, index });
    }
    const optional = levelOne
      .filter(({ unknown }) => free.has(unknown.symbol))
      .map(({ unknown, left }) => ({ left: unknown, right: left, index: equations.length }));
    const solvable = rows.filter((row) => leaves(row.left).length > 0);
    const result = sortSystem(
      pool,
      {
        equations: solvable,
        optional,
        unknowns: [...levelOne.map((l) => l.unknown), ...weights.map((w) => w.leaf)],
      },
      {
        isParameter: (symbol) => runtime.model.scalars[symbol]?.kind === 'parameter',
        evaluate: (expr) => runtime.evaluate(expr),
      },
    );
    if (result.kind === 'singular') {
      throw new Failure('simulate', [undeterminedJump(runtime, mode, result.under.unknowns)]);
    }
    this.levelOne = Int32Array.from(levelOne, ({ unknown }) => runtime.slot(unknown));
    this.left = Int32Array.from(levelOne, ({ left }) => runtime.slot(left));
    this.symbols = weights.map(({ symbol }) => symbol);
    this.weights = Int32Array.from(weights, ({ leaf }) => runtime.slot(leaf));
    this.solution = new Solution(runtime, result.blocks);
  }

  solve(): Weight[] {
    const { values } = this.runtime.memory;
    const { levelOne, left, weights } = this;
    let scale = 1;
    for (let k = 0; k < levelOne.length; k++) {
      const value = values[levelOne[k]!]!;
      values[left[k]!] = value;
      scale = Math.max(scale, Math.abs(value));
    }
    for (let k = 0; k < weights.length; k++) values[weights[k]!] = 0;
    this.solution.compute();
    return this.found(negligibleImpulse * scale);
  }

  /** Weights above the limit, those of aliases too. */
  private found(limit: number): Weight[] {
    const { values } = this.runtime.memory;
    const found: Weight[] = [];
    for (const [k, symbol] of this.symbols.entries()) {
      const weight = values[this.weights[k]!]!;
      if (!(Math.abs(weight) > limit)) continue;
      found.push({ symbol, weight });
      for (const alias of this.aliases.get(symbol) ?? [])
        found.push({ symbol: alias.symbol, weight: alias.sign * weight });
    }
    return found.sort((a, b) => a.symbol - b.symbol);
  }
}

/**
 * The part of a mode in which something may jump. Match every equation with a variable of its leading part. An equation
 * that is no constraint and contains no other variable that may jump says that its own variable does not. So it is enough to go from the
 * constraints to the equations that contain their variables, and so on; what is not reached is a homogeneous system of its own.
 * Where variables are new, all may jump.
 */
function affected(pool: Pool, sorted: SortedMode, free: ReadonlySet<number>): Affected {
  const { variables, equations } = sorted;
  const columnsOf = leadingColumns(pool, sorted);
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
function leadingColumns(pool: Pool, { variables, equations, leading }: SortedMode): number[][] {
  const columnOf = new Map<Expr, number>();
  for (const [j, { symbol, d }] of variables.entries()) if (d > 0) columnOf.set(pool.ref(symbol, d - 1), j);
  return equations.map(({ c, residuals }, i) => {
    const columns = leading[i]!.map(({ column }) => column);
    if (c === 0) return columns;
    const level = leaves(residuals[c - 1]!).map((leaf) => columnOf.get(leaf));
    return [...new Set([...columns, ...level.filter((column) => column !== undefined)])];
  });
}

function byTarget(aliases: readonly Alias[]): Map<number, Alias[]> {
  const groups = new Map<number, Alias[]>();
  for (const alias of aliases) {
    const group = groups.get(alias.target);
    if (group) group.push(alias);
    else groups.set(alias.target, [alias]);
  }
  return groups;
}

/**
 * Values of new variables on one level below that of jumps. What existed is continuous there, so the constraints give values to what
 * is new: a body that appears is where it is attached.
 */
class PlaceSystem {
  private readonly runtime: Runtime;
  private readonly solution: Solution;
  private readonly places: readonly { readonly unknown: Ref; readonly left: Ref }[];

  constructor(runtime: Runtime, { sorted }: CompiledMode, free: ReadonlySet<number>, level: number) {
    this.runtime = runtime;
    const { pool } = runtime;
    this.places = sorted.variables
      .filter(({ symbol, d }) => d >= level && free.has(symbol))
      .map(({ symbol, d }) => ({ unknown: pool.ref(symbol, d - level), left: runtime.temporaries.fresh() }));
    const unknowns = this.places.map((place) => place.unknown);
    const wanted = new Set<Expr>(unknowns);
    const constraints = sorted.equations.flatMap(({ index, c, residuals }) => {
      if (c < level) return [];
      const left = residuals[c - level]!;
      return leaves(left).some((leaf) => wanted.has(leaf)) ? [{ left, right: pool.zero, index }] : [];
    });
    const index = sorted.equations.length;
    const starts = this.places.map(({ unknown, left }) => ({ left: unknown, right: left, index }));
    // All are optional: of constraints that are too many some give the values, and all are checked afterwards.
    const result = sortSystem(
      pool,
      { equations: [], optional: [...constraints, ...starts], unknowns },
      {
        isParameter: (symbol) => runtime.model.scalars[symbol]?.kind === 'parameter',
        evaluate: (expr) => runtime.evaluate(expr),
      },
    );
    this.solution = new Solution(runtime, result.kind === 'sorted' ? result.blocks : []);
  }

  solve(): void {
    for (const { unknown, left } of this.places) this.runtime.set(left, this.runtime.get(unknown));
    this.solution.compute();
  }
}

/** Code that solves a sorted system once. */
export class Solution {
  private readonly runtime: Runtime;
  private readonly plan: Plan;
  private readonly program: Program;
  private readonly systems: readonly SystemSolver[];

  constructor(runtime: Runtime, blocks: Parameters<typeof planBlocks>[1]) {
    this.runtime = runtime;
    this.plan = planBlocks(runtime, blocks);
    this.program = runtime.compile(this.plan.routines).program;
    this.systems = this.plan.systems.map((s) => new SystemSolver(runtime, s, this.program));
  }

  compute(): void {
    for (const system of this.systems) system.activate();
    for (const step of this.plan.event) {
      if (step.kind === 'run') {
        this.program.run(step.routine);
        continue;
      }
      const failure = this.systems[step.system]!.solveRobustly();
      if (failure) throw new Failure('simulate', [explainSystem(this.runtime, failure, 'impossible-change')]);
    }
  }
}

function undeterminedJump(runtime: Runtime, mode: CompiledMode, unknowns: readonly Ref[]): Diagnostic {
  const notes: Note[] = unknowns.slice(0, 8).flatMap((u) => {
    const span = runtime.model.scalars[u.symbol]?.variable?.origin.span;
    return span ? [{ message: `${runtime.nameOfRef(u)} is declared here`, span }] : [];
  });
  return error(
    'impossible-change',
    `The values after the change to mode ${mode.mode.signature || 'of the model'} are not determined by its equations.`,
    { notes, hint: 'Set them with reinit, or give the variables start values with fixed = true.' },
  );
}
