/**
 * A mode: the equations and variables that exist for given values of the structural conditions. The signature names the
 * choice for people; the key identifies it in caches.
 *
 * A condition is structural when the equations that it chooses between cannot be solved in the same way. For
 * `if`-equations this is known from the start (`lower.ts`); for conditional expressions it shows when a mode has been
 * sorted: the condition of an expression whose branches contain different unknowns of the block that is solved by it, or
 * of an equation that is differentiated, is promoted (`promote`), and the mode is built again.
 */

import { append } from '../collections/groups.ts';
import { remember } from '../collections/memo.ts';
import type { Guard } from '../flat/flat.ts';
import {
  aliasOf,
  type Block,
  type ScalarEquation,
  type ScalarVariable,
  type SortedMode,
  unknownsOf,
} from '../structure/analysis.ts';
import { LastingAliases } from '../structure/lasting.ts';
import type { HeldSign } from '../structure/oneway.ts';
import { withoutZeroFactors, withoutZeros } from '../structure/zeros.ts';
import { children, fold, leaves, reachable, rebuild } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { Chains, type Sides } from './chains.ts';
import type { Condition, GuardedEquation, GuardedModel } from './guarded.ts';
import { containsConditional, guardHolds, isRelevant } from './relevance.ts';
import { flows, isConstant } from './sides.ts';

export interface Mode {
  readonly key: string;
  readonly signature: string;
  readonly equations: readonly ScalarEquation[];
  readonly initialEquations: readonly ScalarEquation[];
  readonly variables: readonly ScalarVariable[];
  /** Symbols of variables in active equations that belong to a component which does not exist in this mode. */
  readonly strangers: readonly number[];
  /** Those of the equations that may contain conditional expressions. */
  readonly conditional: readonly ScalarEquation[];
  /** Comparisons by which the mode is chosen. */
  readonly signs: readonly HeldSign[];
  /** What is equal in all modes; undefined for a model that has one. */
  readonly lasting: LastingAliases | undefined;
  /** By expression of its equations: what `homotopy` has in its place at the beginning. */
  readonly simplified: ReadonlyMap<Expr, Expr>;
}

/** The value of every condition, by index; only those of structural ones matter. */
export type ConditionValues = boolean[];

export function modeKey(model: GuardedModel, values: ConditionValues): string {
  let key = '';
  for (let k = 0; k < model.conditions.length; k++) {
    const { structural, constant } = model.conditions[k]!;
    const counts = (structural || constant) && isRelevant(model, k, values);
    key += counts ? (values[k] ? '1' : '0') : '-';
  }
  return key;
}

export function modeSignature(model: GuardedModel, values: ConditionValues): string {
  // Conditions that are written twice, or once with `not`, say the same.
  const parts = new Set<string>();
  for (const [k, condition] of model.conditions.entries()) {
    if (!condition.structural || condition.constant) continue;
    if (condition.machine && !(values[k] && guardHolds(condition.machine, values))) continue;
    if (!isRelevant(model, k, values)) continue;
    if (values[k]) parts.add(condition.label);
    else if (!condition.quiet) parts.add(negation(condition.label));
  }
  return [...parts].join(', ');
}

const NAME = /^[\w.[\]']+$/;

/** The label of a condition that does not hold. */
function negation(label: string): string {
  const positive = label.startsWith('not ') ? label.slice(4) : '';
  if (NAME.test(positive)) return positive;
  return NAME.test(label) ? `not ${label}` : `not (${label})`;
}

/**
 * Makes modes of a model, and of those that promotion makes of it. An equation that is the same in several modes is the same object in
 * all of them, so that whatever is found out about it is known everywhere.
 */
export class ModeSelector {
  private readonly equations: SelectedEquation[];
  /** Those that are not the same in all modes, and of these the ones with conditional expressions. */
  private readonly differing: readonly SelectedEquation[];
  private readonly conditional: readonly SelectedEquation[];
  private readonly initialEquations: SelectedEquation[];
  /** By symbol: the unknowns, and whether they occur in an equation of any mode, and in one of all modes. */
  private readonly variables: readonly (ScalarVariable | undefined)[];
  private readonly anywhere: Uint8Array;
  private readonly everywhere: Uint8Array;
  /** Symbols of unknowns that belong to a component which comes and goes. */
  private readonly passing: readonly number[];
  private readonly lasting: LastingAliases | undefined;
  private readonly chains: Chains | undefined;

  constructor(model: GuardedModel) {
    const kinks = new Set(model.kinks.map((kink) => kink.smooth));
    const varies = (expr: Expr) =>
      containsConditional(expr) || (kinks.size > 0 && reachable(expr, (node) => kinks.has(node)));
    this.chains = Chains.in(model);
    const isSum = (equation: ScalarEquation) => this.chains?.isSum(equation) ?? false;
    const prepare = (equations: readonly GuardedEquation[]) =>
      equations.map(({ guard, assigns, joins, ...sides }, index): SelectedEquation => {
        const conditional =
          varies(sides.left) || varies(sides.right) || isSum({ ...sides, assigns, joins, index });
        const side = (expr: Expr) => (conditional ? withoutZeroFactors(model.pool, expr) : expr);
        const [left, right] = [side(sides.left), side(sides.right)];
        return { guard, left, right, conditional, equation: { left, right, assigns, joins, index } };
      });
    this.equations = prepare(model.equations);
    const isCommon = ({ guard, conditional }: SelectedEquation) => guard.length === 0 && !conditional;
    const common = this.equations.filter(isCommon).map((e) => e.equation);
    this.differing = this.equations.filter((e) => !isCommon(e));
    this.conditional = this.differing.filter((e) => e.conditional);
    this.initialEquations = prepare(model.initialEquations);
    this.anywhere = occurring(
      model,
      model.equations.map((sides) => withoutCancelled(model.pool, sides)),
    );
    this.everywhere = occurring(model, common);
    this.variables = unknownsOfModel(model);
    const unknowns = this.variables.filter((variable) => variable !== undefined);
    const passes = ({ symbol }: ScalarVariable) => guardOf(model, symbol).length > 0;
    this.passing = unknowns.filter(passes).map((v) => v.symbol);
    if (this.differing.length > 0)
      this.lasting = new LastingAliases(model.pool, {
        equations: common,
        variables: unknowns.filter((variable) => !passes(variable)),
        everywhere: model.equations,
      });
  }

  /** Selects what is active and fixes the structural conditions inside expressions; `zeros` are parameters with that value. */
  select(model: GuardedModel, values: ConditionValues, zeros: ReadonlySet<number> = new Set()): Mode {
    const resolve = conditionResolver(model, values);
    const equations = active(model, this.equations, values, resolve, { chains: this.chains, zeros });
    const occurs = this.everywhere.slice();
    for (const { guard, equation } of this.differing) if (guardHolds(guard, values)) note(equation, occurs);
    return {
      key: modeKey(model, values),
      signature: modeSignature(model, values),
      equations,
      initialEquations: active(model, this.initialEquations, values, resolve),
      variables: this.activeVariables(model, occurs, values),
      strangers: this.passing.filter((symbol) => occurs[symbol] && !isPresent(model, symbol, values)),
      conditional: this.conditional.flatMap((e) => (guardHolds(e.guard, values) ? [e.equation] : [])),
      signs: signsIn(model, values),
      lasting: this.lasting,
      simplified: new Map([...model.simplified].map(([actual, other]) => [resolve(actual), resolve(other)])),
    };
  }

  /**
   * A variable exists in a mode where it occurs in an active equation. One that occurs in no equation of any mode is kept
   * where its component exists, so that the lack of an equation for it is reported.
   */
  private activeVariables(
    model: GuardedModel,
    occurs: Uint8Array,
    values: ConditionValues,
  ): ScalarVariable[] {
    const active: ScalarVariable[] = [];
    for (const variable of this.variables) {
      if (!variable) continue;
      const { symbol } = variable;
      if (occurs[symbol] || (!this.anywhere[symbol] && isPresent(model, symbol, values)))
        active.push(variable);
    }
    return active;
  }
}

/** What structural conditions that are relations say. */
function signsIn(model: GuardedModel, values: ConditionValues): HeldSign[] {
  const { pool, conditions, relations } = model;
  return conditions.flatMap(({ value, structural, constant }, k) => {
    if (value.kind !== 'held' || !structural || constant || !isRelevant(model, k, values)) return [];
    const { left, right, op } = relations[value.relation]!;
    return [{ indicator: pool.sub(left, right), op, holds: values[k]! }];
  });
}

/** An equation of the model and its form in the mode that was selected last. */
interface SelectedEquation {
  readonly guard: Guard;
  readonly left: Expr;
  readonly right: Expr;
  /** Whether there are conditional expressions in it, or what may become one. */
  readonly conditional: boolean;
  equation: ScalarEquation;
}

function active(
  model: GuardedModel,
  equations: readonly SelectedEquation[],
  values: ConditionValues,
  resolve: (expr: Expr) => Expr,
  along?: { readonly chains: Chains | undefined; readonly zeros: ReadonlySet<number> },
): ScalarEquation[] {
  const held = equations.filter(({ guard }) => guardHolds(guard, values));
  const replaced = along?.chains?.replaced(
    held.map(({ equation }) => equation),
    along.zeros,
  );
  for (const selected of held)
    if (selected.conditional)
      resolveIn(selected, replaced?.get(selected.equation.index) ?? selected, resolve);
  return orient(
    model,
    held.map(({ equation }) => equation),
  );
}

function resolveIn(selected: SelectedEquation, sides: Sides, resolve: (expr: Expr) => Expr): void {
  const left = resolve(sides.left);
  const right = resolve(sides.right);
  const { equation } = selected;
  if (equation.left !== left || equation.right !== right) selected.equation = { ...equation, left, right };
}

/**
 * Equations between two discrete variables (`b1 = b2`, mostly from connections) can be solved for either side: they are
 * turned so that values flow away from what other equations assign.
 */
function orient(model: GuardedModel, equations: ScalarEquation[]): ScalarEquation[] {
  const open = new Map<number, number[]>();
  const isDiscrete = (e: Expr) => e.kind === 'ref' && model.scalars[e.symbol]!.kind === 'discrete';
  for (let k = 0; k < equations.length; k++) {
    const { left, right, assigns } = equations[k]!;
    if (assigns !== undefined || left.kind !== 'ref' || right.kind !== 'ref') continue;
    if (!isDiscrete(left) || !isDiscrete(right)) continue;
    for (const { symbol } of [left, right]) append(open, symbol, k);
  }
  if (open.size === 0) return equations;
  const result = equations.slice();
  // Those of simultaneous equations are determined by them.
  const assigned = new Set(equations.flatMap(({ assigns, joins }) => assigns ?? joins ?? []));
  const queue = [...assigned];
  const spread = (): void => {
    for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop()) {
      for (const k of open.get(symbol) ?? []) {
        const { left, right, assigns, index } = result[k]!;
        if (assigns !== undefined || left.kind !== 'ref' || right.kind !== 'ref') continue;
        const [target, source] = left.symbol === symbol ? [right, left] : [left, right];
        if (assigned.has(target.symbol)) continue;
        result[k] = { left: target, right: source, assigns: target.symbol, index };
        assigned.add(target.symbol);
        queue.push(target.symbol);
      }
    }
  };
  spread();
  // What is connected to nothing that has a value: any order will do.
  for (const symbol of open.keys()) {
    if (assigned.has(symbol)) continue;
    queue.push(symbol);
    spread();
  }
  return result;
}

/** By symbol: the variable as structural analysis sees it; undefined for what is known. */
function unknownsOfModel(model: GuardedModel): (ScalarVariable | undefined)[] {
  const passing = passingIn(model);
  const reset = new Set(model.actions.flatMap((a) => (a.kind === 'reinit' ? [a.target] : [])));
  const bends = new Set(model.kinks.map((kink) => kink.relation));
  const sharp = model.relations.filter((_, k) => !bends.has(k));
  const compared = occurring(model, sharp);
  return model.scalars.map((scalar, symbol) => {
    if (scalar.kind !== 'continuous' && scalar.kind !== 'discrete') return undefined;
    const declared = scalar.variable?.stateSelect ?? 'default';
    return {
      symbol,
      stateSelect:
        reset.has(symbol) && (declared === 'default' || declared === 'avoid') ? 'prefer' : declared,
      discrete: scalar.kind === 'discrete',
      weight: (scalar.fixed ? 8 : 0) + (scalar.start ? 4 : 0) + 1 / (1 + depthOf(scalar.name)),
      potential: scalar.variable?.potential === true,
      flow: scalar.variable?.flow === true,
      compared: compared[symbol] === 1,
      passing: passing[symbol],
      fixed: scalar.fixed,
    };
  });
}

/** By symbol: the guards of the equations that it occurs in, without those that imply another one; undefined where it occurs in all modes. */
function passingIn(model: GuardedModel): (string | undefined)[] {
  const lasts = new Uint8Array(model.scalars.length);
  const guards = new Map<number, Set<Guard>>();
  for (const { guard, left, right } of model.equations)
    for (const side of [left, right])
      for (const leaf of leaves(side)) {
        if (leaf.kind !== 'ref') continue;
        if (guard.length === 0) lasts[leaf.symbol] = 1;
        else remember(guards, leaf.symbol, () => new Set()).add(guard);
      }
  return model.scalars.map((_, symbol) => {
    if (lasts[symbol]) return undefined;
    const own = guards.get(symbol);
    if (!own) return '';
    const keys = new Set(
      [...own].map((guard) =>
        guard.map(({ condition, value }) => `${value ? '' : '-'}${condition}`).join(' '),
      ),
    );
    const least = [...keys].filter(
      (key) => ![...keys].some((other) => other !== key && `${key} `.startsWith(`${other} `)),
    );
    return least.sort().join(', ');
  });
}

/** Whether the component of a variable exists. */
function isPresent(model: GuardedModel, symbol: number, values: ConditionValues): boolean {
  return guardHolds(guardOf(model, symbol), values);
}

/** When the component of a variable exists. */
function guardOf({ scalars }: GuardedModel, symbol: number): Guard {
  return scalars[symbol]!.variable?.guard ?? none;
}

const none: Guard = [];

/** By symbol: whether it occurs in one of the equations. */
function occurring({ scalars }: GuardedModel, equations: readonly Sides[]): Uint8Array {
  const occurs = new Uint8Array(scalars.length);
  for (const equation of equations) note(equation, occurs);
  return occurs;
}

/** An equation whose sides share variables, as their difference: in `y = y + x` there is no `y`. */
function withoutCancelled(pool: Pool, sides: Sides): Sides {
  const left = new Set(leaves(sides.left));
  if (!leaves(sides.right).some((leaf) => leaf.kind === 'ref' && left.has(leaf))) return sides;
  return { left: pool.sub(sides.left, sides.right), right: pool.zero };
}

/** Marks the symbols in an equation. */
function note({ left, right }: Sides, occurs: Uint8Array): void {
  for (const leaf of leaves(left)) if (leaf.kind === 'ref') occurs[leaf.symbol] = 1;
  for (const leaf of leaves(right)) if (leaf.kind === 'ref') occurs[leaf.symbol] = 1;
}

const depthOf = (name: string): number => name.split('.').length - 1;

/** Takes the branch of every conditional expression whose condition is structural; the other one vanishes. Bends that cause events become conditional. */
function conditionResolver(model: GuardedModel, values: ConditionValues): (expr: Expr) => Expr {
  const { pool } = model;
  const decided = new Map<Expr, boolean>();
  for (const [k, condition] of model.conditions.entries()) {
    if (condition.structural) decided.set(condition.value, values[k]!);
  }
  const sharp = new Map(model.kinks.flatMap((kink) => (kink.sharp ? [[kink.smooth, kink.bent]] : [])));
  if (decided.size === 0 && sharp.size === 0) return (expr) => expr;
  const results = new Map<Expr, Expr>();
  const resultOf = (node: Expr): Expr => {
    const bent = sharp.get(node);
    if (bent && bent !== node) return fold(bent, results, resultOf);
    const decision = node.kind === 'apply' && node.op === 'if' ? decided.get(node.args[0]!) : undefined;
    if (decision !== undefined) return results.get(children(node)[decision ? 1 : 2]!)!;
    return rebuild(
      pool,
      node,
      children(node).map((child) => results.get(child)!),
    );
  };
  return (root) => fold(root, results, resultOf);
}

// ---------------------------------------------------------------- promotion

/**
 * The model in which conditions are structural where the sorted mode shows that they have to be; the same one where none is new. `zeros`
 * are parameters with that value; `describe` prints a condition for signatures.
 */
export function promote(
  model: GuardedModel,
  mode: Mode,
  sorted: SortedMode,
  zeros: ReadonlySet<number>,
  describe: (expr: Expr) => string,
): GuardedModel {
  const promoted = new Map<Expr, number>();
  const conditional = new Map<number, ScalarEquation>();
  for (const equation of withoutZeros(model.pool, mode.conditional, zeros)) {
    if (containsConditional(equation.left) || containsConditional(equation.right))
      conditional.set(equation.index, equation);
  }
  if (conditional.size === 0) return model;
  const consider = (index: number, matters: (leaf: Ref) => boolean): void => {
    const equation = conditional.get(index);
    // What a when-clause computes exists for an instant: it chooses no mode.
    if (!equation || equation.assigns !== undefined) return;
    for (const condition of differing([equation.left, equation.right], matters))
      if (!promoted.has(condition)) promoted.set(condition, index);
  };
  // Parameters and discrete values are constants of the derivative: they do not change which unknowns it contains.
  const isContinuous = (leaf: Ref) => model.scalars[leaf.symbol]!.kind === 'continuous';
  for (const { c, index } of sorted.equations) if (c > 0) consider(index, isContinuous);
  for (const block of sorted.blocks) {
    if (block.discrete) continue;
    if (!block.equations.some((index) => conditional.has(index))) continue;
    const isUnknown = unknownIn(model, sorted, block);
    for (const index of block.equations) consider(index, isUnknown);
  }
  return withStructural(model, promoted, describe);
}

/** Whether a block has to be solved for a variable, or for what it is an alias of. */
export function unknownIn(
  { pool }: GuardedModel,
  { aliases }: SortedMode,
  block: Block,
): (leaf: Ref) => boolean {
  const unknowns = new Set<Expr>(unknownsOf(block));
  return ({ symbol, order }) => unknowns.has(pool.ref(aliasOf(aliases, symbol)?.target ?? symbol, order));
}

/** The model with conditions made structural, each for the sake of an equation. */
function withStructural(
  model: GuardedModel,
  promoted: ReadonlyMap<Expr, number>,
  describe: (expr: Expr) => string,
): GuardedModel {
  const conditions = model.conditions.slice();
  let isNew = false;
  for (const [value, equation] of promoted) {
    // What causes no events cannot choose a mode.
    if (reachable(value, (e) => flows(model.scalars, e))) continue;
    const k = conditions.findIndex((c) => c.value === value);
    const known = conditions[k];
    const next = known ? { ...known, structural: true } : conditionOf(model, value, equation, describe);
    if (known?.structural) continue;
    conditions[known ? k : conditions.length] = next;
    isNew = true;
  }
  return isNew ? { ...model, conditions } : model;
}

/** Conditions whose branches contain different variables, of those that matter. */
export function differing(exprs: readonly Expr[], matters: (leaf: Ref) => boolean): Expr[] {
  const conditions: Expr[] = [];
  const key = (branch: Expr) =>
    leaves(branch)
      .filter((leaf) => leaf.kind === 'ref' && matters(leaf))
      .map((leaf) => leaf.id)
      .join(' ');
  const conditional: Expr[] = [];
  const visit = (expr: Expr): boolean => {
    if (expr.kind === 'apply' && expr.op === 'if') conditional.push(expr);
    return false;
  };
  const seen = new Set<Expr>();
  for (const expr of exprs) reachable(expr, visit, seen);
  // From the inside out: what a branch contains is known when the one around it is looked at.
  for (const [condition, then, otherwise] of conditional.toReversed().map(children))
    if (key(then!) !== key(otherwise!)) conditions.push(condition!);
  return conditions.reverse();
}

/** An expression as a condition that is structural; undefined where it may change between events, and so cannot select modes. */
function conditionOf(
  model: GuardedModel,
  value: Expr,
  equation: number,
  describe: (expr: Expr) => string,
): Condition {
  const { scalars } = model;
  const { origin } = model.equations[equation]!;
  const constant = isConstant(scalars, value);
  return { value, label: describe(value), origin, structural: true, constant, machine: undefined };
}
