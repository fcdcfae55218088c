/**
 * Initial values (specification 8.6): all variables and derivatives of a mode are unknowns; known are the equations and
 * their derivatives, the initial equations, `fixed` start values, and, where these do not suffice, further start
 * values in order of preference. What was not needed must agree with the solution.
 */
import type { CodeUnit } from '../../code/unit.ts';
import { type Diagnostic, diagnostic, error, type Note, type Stage } from '../../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../../diagnostic/failure.ts';
import type { Fix } from '../../diagnostic/fix.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { Mode } from '../../modes/mode.ts';
import { startValue } from '../../modes/variables.ts';
import type { Block, SortedMode } from '../../structure/analysis.ts';
import { unknownsOf } from '../../structure/analysis.ts';
import { type SystemEquation, sortSystem } from '../../structure/sort.ts';
import { substitute } from '../../symbolic/analyse.ts';
import type { Expr, Pre, Ref } from '../../symbolic/expr.ts';
import { aliasResolver } from '../aliases.ts';
import { agrees, type RunValues } from '../evaluation.ts';
import { declarationNotes, explainArithmetic, explainSystem, listNames, listUnknowns } from '../explain.ts';
import { startText } from '../parameters.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import type { SystemFailure } from '../systems.ts';
import { looseIn, startFloating } from './floating.ts';
import { guessesOf } from './guesses.ts';
import { type LeftLimit, leftLimits, setLeftLimits } from './previous.ts';
import { InitialSolution } from './solution.ts';

/** A condition on initial values, with what messages say of it. */
export interface StartCondition extends SystemEquation {
  readonly text: string;
  readonly span: Span | undefined;
  /** Written by the user as a condition, not a mere start value. */
  readonly binding: boolean;
  readonly variable: string;
  /** The variable whose start value this is. */
  readonly symbol?: number;
}

/** Which start values come first: all that are given, or those of the states; `simplified`: the first, with what `homotopy` has in place of equations. */
export type Preference = 'given' | 'states' | 'simplified';

/** A mode with the systems that its initial values solve. */
export interface Beginnable extends ReadyMode {
  initial(preference: Preference): InitialSystem;
}

/** Solves for consistent initial values in the memory; throws a `Failure` that explains itself. */
export function solveInitial(runtime: Runtime, compiled: Beginnable): Diagnostic[] {
  setLeftLimits(runtime, compiled.mode.initialEquations, compiled);
  startFloating(runtime.values, compiled.sorted);
  const system = solved(runtime, compiled);
  const loose = runtime.components.live.flatMap(({ component }) => component.flat.arrays?.loose ?? []);
  const used = system.usedConditions.filter((c) => !c.binding);
  return reportDefaults([...used.map((c) => c.text), ...loose], fixing(used));
}

/**
 * Where equations have a simplified form (`homotopy`), its solution is where the search for initial values begins: it decides which of several solutions is found.
 * False where there is none; the memory is as it was.
 */
export function approximateInitial(runtime: Runtime, compiled: Beginnable): boolean {
  if (runtime.model.simplified.size === 0) return false;
  const before = runtime.values.saved();
  const isFound = attempted(() => {
    setLeftLimits(runtime, compiled.mode.initialEquations, compiled);
    startFloating(runtime.values, compiled.sorted);
    return compiled.initial('simplified').isComputed();
  });
  if (isFound === true) return true;
  runtime.values.memory.values.set(before);
  return false;
}

/**
 * A start value that is given for a velocity may determine nothing where a pendulum stands: `x*vx + y*vy = 0` at `y = 0`. The states were chosen for
 * these values, and the rest follows from theirs.
 */
function solved(runtime: Runtime, compiled: Beginnable): InitialSystem {
  const system = compiled.initial('given');
  const before = compiled.sorted.selections.length > 0 ? runtime.values.memory.values.slice() : undefined;
  const failure = failureOf(() => system.solve('initialise'));
  if (!failure) return system;
  if (!before) throw failure;
  const other = compiled.initial('states');
  runtime.values.memory.values.set(before);
  if (!other.succeeds()) throw failure;
  return other;
}

/** The system for the initial values of a mode. */
export function initialSystem(
  runtime: Runtime,
  mode: Mode,
  sorted: SortedMode,
  preference: Preference,
): InitialSystem {
  const conditions = initialConditions(runtime, mode, sorted, preference);
  const resolve = aliasResolver(runtime.values.pool, sorted);
  const limits = leftLimits(mode.initialEquations, resolve);
  const simplify = preference === 'simplified' ? simplifier(runtime, mode, resolve) : undefined;
  return new InitialSystem(runtime, mode, sorted, conditions, limits, runtime.facts.open, simplify);
}

/**
 * The equations of a mode together with conditions, the most binding first, sorted and compiled; `open` are parameters that are determined
 * with them.
 */
export class InitialSystem {
  /** Positions of the conditions that determine values; the others must agree. */
  private readonly used: ReadonlySet<number>;
  private readonly blocks: readonly Block[];
  private readonly solution: InitialSolution;
  /** Left limits that are determined with all else, and what stands for them in the equations. */
  private readonly limits: ReadonlyMap<Pre, Ref>;

  constructor(
    private readonly runtime: Runtime,
    mode: Mode,
    sorted: SortedMode,
    private readonly conditions: readonly StartCondition[],
    limits: readonly LeftLimit[],
    open: Iterable<number> = [],
    simplify: (expr: Expr) => Expr = (expr) => expr,
  ) {
    const { pool } = runtime.values;
    const discrete = discreteOf(mode);
    const parameters = [...open];
    const eliminated = new Set(sorted.aliases.map((a) => a.symbol));
    const unknowns = [
      ...sorted.variables.flatMap(({ symbol, d }) =>
        Array.from({ length: d + 1 }, (_, order) => pool.ref(symbol, order)),
      ),
      ...[...discrete].filter((symbol) => !eliminated.has(symbol)).map((symbol) => pool.ref(symbol)),
    ];
    this.limits = new Map(limits.map(({ limit }) => [limit, runtime.code.temporaries.fresh()]));
    const equations = [
      ...modelEquations(runtime, mode, sorted, aliasResolver(pool, sorted), simplify),
      ...parameters.flatMap((symbol) => bindingEquation(runtime.values, symbol)),
      ...limits.map(({ limit, value }) => this.limitEquation(limit, value)),
    ];
    const result = sortSystem(
      pool,
      {
        equations: equations.map((equation) => this.withLimits(equation)),
        optional: conditions.map((condition) => this.withLimits(condition)),
        unknowns: [...unknowns, ...parameters.map((s) => pool.ref(s)), ...this.limits.values()],
      },
      { ...runtime.knowledge, isDiscrete: (symbol) => discrete.has(symbol) },
    );
    if (result.kind === 'singular')
      throw new Failure('initialise', [undetermined(runtime, result.under.unknowns)]);
    this.used = new Set(result.used);
    this.blocks = result.blocks;
    this.solution = new InitialSolution(
      runtime,
      result.blocks,
      guessesOf(runtime.values, sorted.aliases, result.blocks),
      looseIn(runtime.values, sorted, result.blocks),
    );
  }

  private limitEquation(limit: Pre, right: Expr): SystemEquation {
    const left = this.limits.get(limit)!;
    return { left, right, assigns: left, index: Number.MAX_SAFE_INTEGER };
  }

  private withLimits(equation: SystemEquation): SystemEquation {
    const { limits } = this;
    if (limits.size === 0) return equation;
    const replaced = (expr: Expr) =>
      substitute(this.runtime.values.pool, expr, (leaf) =>
        leaf.kind === 'pre' ? limits.get(leaf) : undefined,
      );
    const { assigns, index } = equation;
    return { left: replaced(equation.left), right: replaced(equation.right), assigns, index };
  }

  /** The conditions that determine values. */
  get usedConditions(): StartCondition[] {
    return this.conditions.filter((_, k) => this.used.has(k));
  }

  /** Whether all unknowns can be computed, whatever other conditions say; the memory then holds them. */
  isComputed(): boolean {
    const { values } = this.runtime;
    if (this.compute()) return false;
    return this.blocks.every((block) => unknownsOf(block).every((u) => Number.isFinite(values.get(u))));
  }

  /** Whether everything can be computed; the memory then holds it. */
  succeeds(): boolean {
    return failureOf(() => this.solve('initialise')) === undefined;
  }

  /** Computes all unknowns in the memory; gives the first system that has no solution, if there is one. */
  private compute(): SystemFailure | undefined {
    const { values } = this.runtime;
    for (const [limit, leaf] of this.limits) values.set(leaf, values.get(limit));
    const failure = this.solution.attempt();
    for (const [limit, leaf] of this.limits) values.set(limit, values.get(leaf));
    return failure;
  }

  /** Computes everything in the memory; throws a `Failure` where that is impossible or conditions contradict each other. */
  solve(stage: Stage): void {
    const { runtime, conditions, blocks } = this;
    const failure = attempted(() => this.compute());
    const explainedBy = (past: CodeUnit) => explainArithmetic(runtime, past, blocks, conditions);
    if (failure instanceof Failure) {
      // A function that refuses what is no number is not to blame for that.
      const fault = attempted(() => explainedBy(this.solution.past));
      throw fault && !(fault instanceof Failure) ? new Failure(stage, [fault]) : failure;
    }
    if (failure) {
      const { past } = this.solution;
      const told = () => [
        (failure.fault ? undefined : explainedBy(past)) ??
          explainSystem(runtime, failure, 'initialisation-failed', conditions),
      ];
      throw new Failure(stage, runtime.values.later(told));
    }
    if (blocks.some((block) => unknownsOf(block).some((u) => !Number.isFinite(runtime.values.get(u))))) {
      const fault = explainedBy(this.solution.past);
      if (fault) throw new Failure(stage, [fault]);
    }
    const unused = conditions.filter((_, k) => !this.used.has(k));
    checkUnused(runtime, unused, stage);
  }
}

/** Puts what `homotopy` says in the places of what it is said of. */
function simplifier({ values }: Runtime, mode: Mode, resolve: (expr: Expr) => Expr): (expr: Expr) => Expr {
  const simplified = new Map<Expr, Expr>();
  for (const [actual, other] of mode.simplified)
    if (actual.kind === 'apply' || actual.kind === 'call') simplified.set(resolve(actual), resolve(other));
  return (expr) => substitute(values.pool, expr, (node) => simplified.get(node));
}

/**
 * A parameter that depends on others that initial equations determine follows them, or they follow it: where the stiffness of a spring inside a component
 * is determined, so is the parameter of the component that it has its value from.
 */
function bindingEquation({ pool, model }: RunValues, symbol: number): SystemEquation[] {
  const { binding, type } = model.scalars[symbol]!;
  if (!binding) return [];
  const left = pool.ref(symbol);
  const assigns = type === 'Real' ? undefined : left;
  return [{ left, right: binding, assigns, index: Number.MAX_SAFE_INTEGER }];
}

function discreteOf(mode: Mode): Set<number> {
  return new Set(mode.variables.flatMap((v) => (v.discrete ? [v.symbol] : [])));
}

function modelEquations(
  runtime: Runtime,
  mode: Mode,
  sorted: SortedMode,
  resolve: (e: Expr) => Expr,
  simplify: (e: Expr) => Expr,
): SystemEquation[] {
  const { zero } = runtime.values.pool;
  const continuous = sorted.equations.flatMap(({ index, residuals }) =>
    residuals.map((residual): SystemEquation => ({ left: simplify(residual), right: zero, index })),
  );
  const discrete = mode.equations.flatMap((equation): SystemEquation[] => {
    if (equation.assigns === undefined && equation.joins === undefined) return [];
    const left = resolve(equation.left);
    const assigns = left.kind === 'ref' ? left : undefined;
    return [{ left, right: resolve(equation.right), assigns, index: equation.index }];
  });
  return [...continuous, ...discrete];
}

/** All conditions, the most binding first: initial equations, fixed start values, start values. */
function initialConditions(
  runtime: Runtime,
  mode: Mode,
  sorted: SortedMode,
  preference: Preference,
): StartCondition[] {
  const { pool, model } = runtime.values;
  const resolve = aliasResolver(pool, sorted);
  const discrete = discreteOf(mode);
  const conditions = initialEquations(runtime, mode.initialEquations, resolve);
  let index = model.equations.length + conditions.length;
  const start = (symbol: number, binding: boolean, left = resolve(pool.ref(symbol))): void => {
    const scalar = model.scalars[symbol]!;
    conditions.push({
      left,
      right: resolve(startValue(pool, scalar)),
      index: index++,
      get text() {
        return `${scalar.name} = ${startText(runtime.values, runtime.wording, symbol)}`;
      },
      span: scalar.variable?.origin.span,
      binding,
      variable: scalar.name,
      symbol,
    });
  };
  const present = mode.variables.map((v) => v.symbol).filter((s) => !discrete.has(s));
  const states = new Set(sorted.states.flatMap((s) => (s.order === 0 ? [s.symbol] : [])));
  const targets = new Map(sorted.aliases.map((alias) => [alias.symbol, alias.target]));
  const isState = (symbol: number) => states.has(targets.get(symbol) ?? symbol);
  // Of redundant conditions those of states are used: the others may determine the rest badly or not at all.
  const fixed = present.filter((s) => model.scalars[s]!.fixed);
  for (const symbol of fixed) if (isState(symbol)) start(symbol, true);
  for (const symbol of fixed) if (!isState(symbol)) start(symbol, true);
  for (const { limit } of leftLimits(mode.initialEquations, resolve))
    if (model.scalars[limit.symbol]!.fixed) start(limit.symbol, true, limit);
  const free = present.filter((s) => !model.scalars[s]!.fixed);
  const differentiated = new Set(sorted.variables.flatMap((v) => (v.d > 0 ? [v.symbol] : [])));
  const dependent = preference === 'states' ? dependentSymbols(sorted) : new Set<number>();
  const rank = (symbol: number): number => {
    const isGiven = model.scalars[symbol]!.start !== undefined;
    if (isState(symbol)) return isGiven ? 0 : 2;
    if (isGiven) return dependent.has(targets.get(symbol) ?? symbol) ? 3 : 1;
    return differentiated.has(symbol) ? 4 : 5;
  };
  const ranks = free.map(rank);
  for (let wanted = 0; wanted < 5; wanted++)
    for (const [k, symbol] of free.entries()) if (ranks[k] === wanted) start(symbol, false);
  for (const state of sorted.states) {
    if (state.order === 0) continue;
    const variable = runtime.wording.nameOfRef(state);
    conditions.push({
      left: state,
      right: pool.zero,
      index: index++,
      text: `${variable} = 0`,
      span: undefined,
      binding: false,
      variable,
    });
  }
  return conditions;
}

/** Variables that could be states, and follow from those that are. */
function dependentSymbols({ selections }: SortedMode): Set<number> {
  return new Set(
    selections.flatMap(({ candidates, dependent }) =>
      dependent.flatMap((k) => (candidates[k]!.order === 0 ? [candidates[k]!.symbol] : [])),
    ),
  );
}

/** Initial equations as conditions, without those that determine left limits. */
export function initialEquations(
  runtime: Runtime,
  equations: Mode['initialEquations'],
  resolve: (e: Expr) => Expr,
): StartCondition[] {
  const { model } = runtime;
  const conditions: StartCondition[] = [];
  const limits = new Set<Expr>();
  for (const equation of equations) {
    if (equation.left.kind === 'pre' && !limits.has(equation.left)) {
      limits.add(equation.left);
      continue;
    }
    const { origin, left, right } = model.initialEquations[equation.index]!;
    conditions.push({
      left: resolve(equation.left),
      right: resolve(equation.right),
      index: model.equations.length + conditions.length,
      text: `${runtime.wording.print(left)} = ${runtime.wording.print(right)}`,
      span: origin.span,
      binding: true,
      variable: '',
    });
  }
  return conditions;
}

function checkUnused(runtime: Runtime, conditions: readonly StartCondition[], stage: Stage): void {
  const violated: Note[] = [];
  for (const c of conditions) {
    if (!c.binding) continue;
    const left = runtime.values.evaluate(c.left);
    const right = runtime.values.evaluate(c.right);
    if (agrees(left, right)) continue;
    violated.push({
      message: `${c.text} does not hold: the left side is ${left}, the right side ${right}`,
      ...(c.span && { span: c.span }),
    });
  }
  if (violated.length === 0) return;
  const message = 'There are more initial conditions than states, and they contradict each other.';
  throw Failure.of(stage, 'initial-overdetermined', message, {
    span: violated[0]!.span,
    hint: 'Remove one of the conditions, or set fixed = false for a variable that the others determine.',
    notes: violated,
  });
}

function reportDefaults(conditions: readonly string[], fix: Fix | undefined): Diagnostic[] {
  if (conditions.length === 0) return [];
  const message = `Initial conditions are missing; start values are used: ${listNames(conditions)}.`;
  const hint = 'Set fixed = true for these variables, or add initial equations.';
  return [diagnostic('info', 'initial-underdetermined', message, { hint, fix })];
}

/** `fixed = true` in the declarations of variables that stand in the model itself. */
function fixing(conditions: readonly StartCondition[]): Fix | undefined {
  const changes = conditions.flatMap(({ span, variable }): Fix['changes'] => {
    const { source, start } = span ?? {};
    if (!source || start === undefined || !source.text.startsWith(variable, start) || !/^\w+$/.test(variable))
      return [];
    const end = start + variable.length;
    const [, bracket, inside] = /^\s*(\(|\[)?([^;]*)/.exec(source.text.slice(end)) ?? [];
    if (bracket === '[' || /\bfixed\b/.test(inside ?? '')) return [];
    const at = bracket ? source.text.indexOf('(', end) + 1 : end;
    return [{ span: { source, start: at, end: at }, insert: bracket ? 'fixed = true, ' : '(fixed = true)' }];
  });
  return changes.length > 0 ? { title: 'Set `fixed = true`', changes } : undefined;
}

function undetermined(runtime: Runtime, unknowns: readonly Ref[]): Diagnostic {
  const names = listUnknowns(runtime, unknowns);
  return error('initialisation-failed', `The initial equations do not determine ${names}.`, {
    hint: 'Add initial equations or start values for these variables.',
    notes: declarationNotes(runtime, unknowns.slice(0, 10)),
  });
}
