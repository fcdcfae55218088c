/**
 * Values after an instant at which a mode is entered, or at which discrete values change in it: the equations of
 * `structure/jumps/jumps.ts`, compiled and solved (`jumps.ts`). This is a square system with the Jacobian of the mode itself, so it is regular
 * whenever the mode is, and without over-constraint its solution is "no jump".
 */
import { remember } from '../../collections/memo.ts';
import { neededFirst } from '../../collections/order.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { GuardedModel } from '../../modes/guarded.ts';
import type { Alias, SortedVariable } from '../../structure/analysis.ts';
import { followersOf } from '../../structure/jumps/follow.ts';
import { placeEquations } from '../../structure/jumps/jumps.ts';
import { symbolsOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { SeenValues } from '../evaluation.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import { holdFloating, holdLoose } from './floating.ts';
import { JumpSystem, type Weight } from './jumps.ts';
import { FollowingValues, InitialSolution } from './solution.ts';
import { consistent, magnitude, Steadiness, switchedConstraints, switchedInputs } from './steadiness.ts';
import { isDecided, switchingIn } from './switching.ts';

/** How far constraints of lower order may be violated before a change counts as impossible, relative to their terms. */
const constraintTolerance = 1e-5;

/** Constraints that hold so well, as a share of their terms, need no closer look. */
const firmly = 1e-9;

/** Left limits violate no constraint that is violated by less than this share of what its variables were in the run: a speed that a motion has at its end is zero but for rounding. */
const rounding = 2 ** -48;

/**
 * Computes the values after entering `mode` from the left limits in the memory. `existed` tells by scalar which variables
 * have a left limit. Gives the weights of impulses.
 */
export class Restart {
  /** Variables that need a value to begin with, and aliases with one of their own. */
  private readonly begun: readonly SortedVariable[];
  private readonly fixedAliases: readonly Alias[];
  /** Whether anything can jump. */
  private readonly constrained: boolean;
  /** Constraints below the level that may jump. */
  private readonly firm: readonly { readonly index: number; readonly residual: Expr }[];
  private firmness: Steadiness | undefined;
  /** Constraints that events may violate while the mode stays, and whether they hold. */
  private readonly switched: readonly Expr[];
  private steadiness: Steadiness | undefined;
  /** Constraints of the level that may jump; null where relations decide on them. */
  private levelOne: Steadiness | null | undefined;
  /** What the last run depended on beside the left limits. */
  private inputs: SeenValues | undefined;
  /** Solvers by which variables are new. */
  private readonly solvers = new Map<string, Solvers>();
  /** The system that the values of the last run are from; undefined where nothing could jump. */
  jumps: JumpSystem | undefined;

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: ReadyMode,
  ) {
    const { variables, aliases, equations } = mode.sorted;
    const differentiated = variables.filter(({ d }) => d > 0);
    this.begun = inOrderOfStarts(runtime.model, differentiated);
    this.fixedAliases = aliases.filter(({ symbol }) => runtime.model.scalars[symbol]!.fixed);
    const constraints = equations.filter(({ c }) => c > 0);
    this.constrained = constraints.length > 0;
    this.firm = constraints.flatMap(({ index, c, residuals }) =>
      residuals.slice(0, c - 1).map((residual) => ({ index, residual })),
    );
    this.switched = switchedConstraints(runtime, mode.sorted);
  }

  /** Whether values of the mode may jump when events change discrete values in it. */
  get mayJump(): boolean {
    return this.switched.length > 0;
  }

  /** Whether the left limits in the memory violate constraints with the discrete values as they are now. */
  isViolated(): boolean {
    return !this.constraints.holds();
  }

  /** Whether discrete values that constraints depend on have changed since this was last asked. */
  hasNews(): boolean {
    return this.constraints.inputs.look();
  }

  /** Whether the last run would give the same again, from the same left limits, where values may jump. Built-in components could change what is not seen here. */
  isCurrent(): boolean {
    return this.mode.parts.length === 0 && this.inputs !== undefined && !this.inputs.look();
  }

  private get constraints(): Steadiness {
    this.steadiness ??= new Steadiness(this.runtime, this.switched);
    return this.steadiness;
  }

  run(existed: Uint8Array): Weight[] {
    const { scalars } = this.runtime.model;
    this.noteInputs();
    holdFloating(this.runtime.values, this.mode.sorted);
    holdLoose(this.runtime.values, this.mode.plan.loose);
    const fresh: number[] = [];
    for (const { symbol } of this.begun) {
      if (existed[symbol]) continue;
      if (scalars[symbol]!.fixed || !this.inherits(symbol, existed)) fresh.push(symbol);
    }
    for (const symbol of fresh) this.setToStart(symbol);
    const given = new Set(fresh.filter((symbol) => scalars[symbol]!.fixed));
    for (const { symbol, target, sign } of this.fixedAliases) {
      if (existed[symbol]) continue;
      this.setToStart(symbol);
      const { values } = this.runtime;
      values.setVariable(target, sign * values.getVariable(symbol));
      given.add(target);
    }
    this.jumps = undefined;
    if (!this.constrained) return [];
    const free = new Set(fresh.filter((symbol) => !given.has(symbol)));
    if (fresh.length === 0 && this.isConsistent()) {
      this.checkConstraints();
      return [];
    }
    const key = fresh.length === 0 ? '' : `${fresh.join(' ')}, ${[...free].join(' ')}`;
    const solvers = remember(this.solvers, key, () =>
      this.runtime.code.temporaries.scratch(() => this.prepare(new Set(fresh), free)),
    );
    for (const system of solvers.places) system.solve();
    solvers.followers?.compute();
    this.jumps = solvers.jumps;
    const weights = solvers.jumps.solve();
    this.checkConstraints();
    return weights;
  }

  /** For `isCurrent`, which is asked only where values may jump. */
  private noteInputs(): void {
    if (!this.mayJump) return;
    this.inputs ??= this.allInputs();
    this.inputs.look();
  }

  private allInputs(): SeenValues {
    const { equations } = this.mode.sorted;
    return switchedInputs(
      this.runtime,
      equations.flatMap(({ residuals }) => residuals),
    );
  }

  /**
   * Whether the left limits satisfy the constraints of the mode, so that nothing jumps: balances hold then whatever their coefficients are. Relations in constraints
   * are on the sides where the left limits are, which need not be those that the event has left behind.
   */
  private isConsistent(): boolean {
    if (this.levelOne === undefined) {
      const { equations } = this.mode.sorted;
      const constraints = equations.flatMap(({ c, residuals }) => (c > 0 ? [residuals[c - 1]!] : []));
      const isAllPlain = !constraints.some((expr) => isDecided(this.runtime, expr));
      this.levelOne = isAllPlain ? new Steadiness(this.runtime, constraints) : null;
    }
    return this.levelOne?.holds(consistent, rounding) ?? false;
  }

  /** The systems to be solved where variables are new, `free` ones among them, lowest derivatives first. */
  private prepare(fresh: ReadonlySet<number>, free: ReadonlySet<number>): Solvers {
    const { runtime, mode } = this;
    const { knowledge } = runtime;
    const { pool } = runtime.values;
    const leaf = () => runtime.code.temporaries.fresh();
    const systems: FollowingValues[] = [];
    let highest = 0;
    for (const { symbol, d } of this.begun) if (free.has(symbol)) highest = Math.max(highest, d);
    for (let level = highest; level >= 2; level--) {
      const { places, optional } = placeEquations(pool, mode.sorted, free, level, leaf);
      systems.push(new FollowingValues(runtime, places, [], optional));
    }
    const switching = switchingIn(runtime, mode.sorted);
    const { symbols, blocks } = followersOf(pool, mode.sorted, fresh, free, leaf, switching, knowledge);
    const alone = new Set([...free].filter((symbol) => !symbols.has(symbol)));
    return {
      places: systems,
      followers: blocks.length > 0 ? new InitialSolution(runtime, blocks) : undefined,
      jumps: new JumpSystem(runtime, mode, alone),
    };
  }

  /** A variable without a left limit and start value of its own may be the alias of one that has. */
  private inherits(symbol: number, existed: Uint8Array): boolean {
    const { values } = this.runtime;
    for (const alias of this.mode.sorted.aliases) {
      if (alias.target !== symbol || !existed[alias.symbol]) continue;
      values.setVariable(symbol, alias.sign * values.getVariable(alias.symbol));
      return true;
    }
    return false;
  }

  private setToStart(symbol: number): void {
    this.runtime.values.setVariable(symbol, this.runtime.values.startOf(symbol));
  }

  /** Constraints below the level that may jump must hold with the values at hand. */
  private checkConstraints(): void {
    if (this.firm.length === 0) return;
    this.firmness ??= new Steadiness(
      this.runtime,
      this.firm.map(({ residual }) => residual),
    );
    if (this.firmness.holds(firmly)) return;
    for (const { index, residual } of this.firm) {
      const value = this.runtime.values.evaluate(residual);
      if (Math.abs(value) <= constraintTolerance) continue;
      if (Math.abs(value) <= constraintTolerance * magnitude(this.runtime, residual)) continue;
      throw new Failure('simulate', [this.impossible(index, value)]);
    }
  }

  private impossible(index: number, residual: number): Diagnostic {
    const { wording, values } = this.runtime;
    const { text, origin } = wording.describeEquation(index);
    const { signature } = this.mode.mode;
    const where = signature ? ` (mode: ${signature})` : '';
    const hint = wording.followsTable(index)
      ? 'Where the table steps, let its values change in a finite time; otherwise let the change happen only when the constraint holds.'
      : 'Let the change happen only when the constraint holds, or set the values with reinit.';
    return error(
      'impossible-change',
      `The change at time ${values.time} is impossible${where}: the constraint ${text} is violated by ${residual}, and positions cannot jump.`,
      { span: origin.span, hint: this.latched(index) ?? hint },
    );
  }

  /** A constant of the constraint that is computed at the same instant from what the constraint ties together. */
  private latched(index: number): string | undefined {
    const { model } = this.runtime;
    const { left, right } = model.equations[index]!;
    const own = new Set([left, right].flatMap(symbolsOf));
    for (const { assigns, right: value } of model.equations) {
      if (assigns === undefined || !own.has(assigns)) continue;
      const used = symbolsOf(value).find((s) => own.has(s) && model.scalars[s]!.kind === 'continuous');
      if (used === undefined) continue;
      const name = this.runtime.wording.nameOf(used);
      return `${this.runtime.wording.nameOf(assigns)} is computed from ${name} at the same instant; to take the value from before the change, write pre(${name}).`;
    }
    return undefined;
  }
}

/** What is solved one after the other. */
interface Solvers {
  /** Values of new variables below the level of jumps, level by level. */
  readonly places: readonly FollowingValues[];
  /** Left limits that follow from start values. */
  readonly followers: InitialSolution | undefined;
  readonly jumps: JumpSystem;
}

/** Variables whose start values others use come first. */
export function inOrderOfStarts(
  { scalars }: GuardedModel,
  variables: readonly SortedVariable[],
): SortedVariable[] {
  const bySymbol = new Map(variables.map((v) => [v.symbol, v]));
  const needs = ({ symbol }: SortedVariable): SortedVariable[] => {
    const { start } = scalars[symbol]!;
    return start ? symbolsOf(start).flatMap((s) => bySymbol.get(s) ?? []) : [];
  };
  return [...neededFirst(variables.toReversed(), needs)];
}
