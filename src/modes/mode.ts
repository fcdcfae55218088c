/**
 * A mode: the equations and variables that exist for given values of the structural conditions. The signature names the
 * choice for people; the key identifies it in caches.
 *
 * A condition is structural when the equations that it chooses between cannot be solved in the same way. For
 * `if`-equations this is known from the start (`lower.ts`); for conditional expressions it shows when a mode has been
 * sorted: the condition of an expression whose branches contain different unknowns of the block that is solved by it, or
 * of an equation that is differentiated, is promoted (`promote`), and the mode is built again.
 */
import type { Guard } from '../flat/flat.ts';
import type { Block, ScalarEquation, ScalarVariable, SortedMode } from '../structure/sorted.ts';
import { children, leaves, rebuild, walk } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { reachable } from './events.ts';
import type { GuardedEquation, GuardedModel } from './guarded.ts';

export interface Mode {
  readonly key: string;
  readonly signature: string;
  readonly equations: readonly ScalarEquation[];
  readonly initialEquations: readonly ScalarEquation[];
  readonly variables: readonly ScalarVariable[];
  /** Symbols of variables in active equations that belong to a component which does not exist in this mode. */
  readonly strangers: readonly number[];
}

/** The value of every condition, by index; only those of structural ones matter. */
export type ConditionValues = boolean[];

export function modeKey(model: GuardedModel, values: ConditionValues): string {
  return model.conditions
    .map((c, k) => (c.structural || c.constant ? (values[k] ? '1' : '0') : '-'))
    .join('');
}

export function modeSignature(model: GuardedModel, values: ConditionValues): string {
  const parts: string[] = [];
  for (const [k, condition] of model.conditions.entries()) {
    if (!condition.structural || condition.constant) continue;
    if (condition.machine && !(values[k] && guardHolds(condition.machine, values))) continue;
    if (values[k]) parts.push(condition.label);
    else
      parts.push(
        /^[\w.[\]']+$/.test(condition.label) ? `not ${condition.label}` : `not (${condition.label})`,
      );
  }
  return parts.join(', ');
}

export function guardHolds(guard: Guard, values: ConditionValues): boolean {
  return guard.every((literal) => values[literal.condition] === literal.value);
}

/** Selects what is active and fixes the structural conditions inside expressions. */
export function selectMode(model: GuardedModel, values: ConditionValues): Mode {
  const resolve = conditionResolver(model, values);
  const select = (equations: readonly GuardedEquation[]): ScalarEquation[] => {
    const active: ScalarEquation[] = [];
    for (const [index, e] of equations.entries()) {
      if (!guardHolds(e.guard, values)) continue;
      active.push({ left: resolve(e.left), right: resolve(e.right), assigns: e.assigns, index });
    }
    return orient(model, active);
  };
  const equations = select(model.equations);
  const variables = activeVariables(model, equations, values);
  const isStranger = ({ symbol }: ScalarVariable) => !isPresent(model, symbol, values);
  return {
    key: modeKey(model, values),
    signature: modeSignature(model, values),
    equations,
    initialEquations: select(model.initialEquations),
    variables,
    strangers: variables.filter(isStranger).map((v) => v.symbol),
  };
}

/**
 * Equations between two discrete variables (`b1 = b2`, mostly from connections) can be solved for either side: they are
 * turned so that values flow away from what other equations assign.
 */
function orient(model: GuardedModel, equations: ScalarEquation[]): ScalarEquation[] {
  const open = new Map<number, number[]>();
  const isDiscrete = (e: Expr) => e.kind === 'ref' && model.scalars[e.symbol]!.kind === 'discrete';
  for (const [k, { left, right, assigns }] of equations.entries()) {
    if (assigns !== undefined || left.kind !== 'ref' || right.kind !== 'ref') continue;
    if (!isDiscrete(left) || !isDiscrete(right)) continue;
    for (const { symbol } of [left, right]) open.set(symbol, [...(open.get(symbol) ?? []), k]);
  }
  if (open.size === 0) return equations;
  const result = equations.slice();
  const assigned = new Set(equations.flatMap((e) => (e.assigns === undefined ? [] : [e.assigns])));
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

/**
 * A variable exists in a mode where it occurs in an active equation. One that occurs in no equation of any mode is kept
 * where its component exists, so that the lack of an equation for it is reported.
 */
function activeVariables(
  model: GuardedModel,
  equations: readonly ScalarEquation[],
  values: ConditionValues,
): ScalarVariable[] {
  const here = occurring(equations);
  const anywhere = occurring(model.equations);
  const reset = new Set(model.actions.flatMap((a) => (a.kind === 'reinit' ? [a.target] : [])));
  const variables: ScalarVariable[] = [];
  for (const [symbol, scalar] of model.scalars.entries()) {
    if (scalar.kind !== 'continuous' && scalar.kind !== 'discrete') continue;
    if (!here.has(symbol) && (anywhere.has(symbol) || !isPresent(model, symbol, values))) continue;
    const declared = scalar.variable?.stateSelect ?? 'default';
    variables.push({
      symbol,
      stateSelect:
        reset.has(symbol) && (declared === 'default' || declared === 'avoid') ? 'prefer' : declared,
      discrete: scalar.kind === 'discrete',
      weight: (scalar.fixed ? 8 : 0) + (scalar.start ? 4 : 0) + 1 / (1 + depthOf(scalar.name)),
    });
  }
  return variables;
}

/** Whether the component of a variable exists. */
function isPresent(model: GuardedModel, symbol: number, values: ConditionValues): boolean {
  return guardHolds(model.scalars[symbol]!.variable?.guard ?? [], values);
}

function occurring(equations: readonly { readonly left: Expr; readonly right: Expr }[]): Set<number> {
  const symbols = new Set<number>();
  const seen = new Set<Expr>();
  const note = (expr: Expr): boolean => {
    if (expr.kind === 'ref') symbols.add(expr.symbol);
    return false;
  };
  for (const e of equations) {
    reachable(e.left, note, seen);
    reachable(e.right, note, seen);
  }
  return symbols;
}

function depthOf(name: string): number {
  let dots = 0;
  for (const c of name) if (c === '.') dots++;
  return dots;
}

/** Takes the branch of every conditional expression whose condition is structural; the other one vanishes. */
function conditionResolver(model: GuardedModel, values: ConditionValues): (expr: Expr) => Expr {
  const { pool } = model;
  const decided = new Map<Expr, boolean>();
  for (const [k, condition] of model.conditions.entries()) {
    if (condition.structural) decided.set(condition.value, values[k]!);
  }
  if (decided.size === 0) return (expr) => expr;
  const results = new Map<Expr, Expr>();
  const visit = (node: Expr): void => {
    const decision = node.kind === 'apply' && node.op === 'if' ? decided.get(node.args[0]!) : undefined;
    if (decision !== undefined) {
      results.set(node, results.get(children(node)[decision ? 1 : 2]!)!);
      return;
    }
    const below = children(node).map((child) => results.get(child)!);
    const changed = below.some((child, k) => child !== children(node)[k]);
    results.set(node, changed ? rebuild(pool, node, below) : node);
  };
  return (root) => {
    walk(root, (node) => results.has(node), visit);
    return results.get(root)!;
  };
}

// ---------------------------------------------------------------- promotion

/**
 * Makes conditions structural where the sorted mode shows that they have to be; true if any was promoted. `describe`
 * prints a condition for signatures.
 */
export function promote(
  model: GuardedModel,
  mode: Mode,
  sorted: SortedMode,
  describe: (expr: Expr) => string,
): boolean {
  let promoted = false;
  const isConditional = conditionalFinder();
  const byIndex = new Map(mode.equations.map((e) => [e.index, e]));
  const consider = (index: number, matters: (leaf: Ref) => boolean): void => {
    const equation = byIndex.get(index);
    if (!equation || !(isConditional(equation.left) || isConditional(equation.right))) return;
    for (const condition of differing(equation, matters)) {
      if (promoteCondition(model, condition, index, describe)) promoted = true;
    }
  };
  for (const { c, index } of sorted.equations) if (c > 0) consider(index, () => true);
  const targets = new Map(sorted.aliases.map((a) => [a.symbol, a.target]));
  for (const block of sorted.blocks) {
    if (block.kind === 'assign' && block.discrete) continue;
    const unknowns = new Set<Expr>(unknownsOf(block));
    const isUnknown = (leaf: Ref) =>
      unknowns.has(model.pool.ref(targets.get(leaf.symbol) ?? leaf.symbol, leaf.order));
    for (const index of block.equations) consider(index, isUnknown);
  }
  return promoted;
}

function unknownsOf(block: Block): readonly Ref[] {
  return block.kind === 'assign' ? [block.unknown] : [...block.tears, ...block.inner.map((i) => i.unknown)];
}

/** Tells which expressions contain conditional ones; what they share is looked at once. */
function conditionalFinder(): (expr: Expr) => boolean {
  const found = new Map<Expr, boolean>();
  const visit = (node: Expr): void => {
    const is = node.kind === 'apply' && node.op === 'if';
    found.set(node, is || children(node).some((child) => found.get(child)!));
  };
  return (root) => {
    walk(root, (node) => found.has(node), visit);
    return found.get(root)!;
  };
}

/** Conditions whose branches contain different variables, of those that matter. */
function differing(equation: ScalarEquation, matters: (leaf: Ref) => boolean): Expr[] {
  const conditions: Expr[] = [];
  const key = (branch: Expr) =>
    leaves(branch)
      .filter((leaf) => leaf.kind === 'ref' && matters(leaf))
      .map((leaf) => leaf.id)
      .join(' ');
  const visit = (expr: Expr): boolean => {
    if (expr.kind !== 'apply' || expr.op !== 'if') return false;
    const [condition, then, otherwise] = expr.args as [Expr, Expr, Expr];
    if (key(then) !== key(otherwise)) conditions.push(condition);
    return false;
  };
  const seen = new Set<Expr>();
  reachable(equation.left, visit, seen);
  reachable(equation.right, visit, seen);
  return conditions;
}

/** Only conditions that are constant between events can select modes. */
function promoteCondition(
  model: GuardedModel,
  value: Expr,
  equation: number,
  describe: (expr: Expr) => string,
): boolean {
  const known = model.conditions.find((c) => c.value === value);
  if (known) {
    if (known.structural) return false;
    known.structural = true;
    return true;
  }
  const continuous = reachable(
    value,
    (e) =>
      e.kind === 'time' ||
      (e.kind === 'ref' && (e.order > 0 || model.scalars[e.symbol]!.kind === 'continuous')),
  );
  if (continuous) return false;
  const { origin } = model.equations[equation]!;
  const constant = !reachable(
    value,
    (e) =>
      e.kind === 'held' ||
      e.kind === 'pre' ||
      (e.kind === 'ref' && model.scalars[e.symbol]!.kind !== 'parameter'),
  );
  model.conditions.push({
    value,
    label: describe(value),
    origin,
    structural: true,
    constant,
    machine: undefined,
  });
  return true;
}
