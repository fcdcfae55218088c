/**
 * From the flat model to the guarded scalar model: arrays and families are written out, `if`-equations become
 * guards or conditional expressions, `when` becomes equations and actions (`whens.ts`), events become explicit (`events.ts`).
 */
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { withEquations } from '../flat/behaviour/components.ts';
import type {
  FlatAlgorithm,
  FlatAssert,
  FlatEquality,
  FlatEquation,
  FlatFor,
  FlatIf,
  FlatModel,
  FlatSchedule,
  FlatVariable,
  Guard,
  Origin,
} from '../flat/flat.ts';
import { reachable, substitute } from '../symbolic/analyse.ts';
import { type ScalariseContext, scalarise } from '../symbolic/arrays.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import { lowerFunctions, withInlinedCalls } from '../symbolic/lower.ts';
import type { Pool } from '../symbolic/pool.ts';
import { printExpr } from '../symbolic/print.ts';
import { sizeOf } from '../symbolic/shape.ts';
import { type AlgorithmSink, executed } from './algorithms.ts';
import { type GuardedBranch, mergeBranches } from './branches.ts';
import { ClockedLowering, type ClockedSink } from './clocked.ts';
import { type ComponentSink, dataOf, lowerComponent } from './components.ts';
import { auxiliary, EventRewriter, type EventSink } from './events.ts';
import {
  type Action,
  type Component,
  type Condition,
  type GuardedEquation,
  type GuardedModel,
  type Kink,
  type Relation,
  type Sample,
  type Scalar,
  type Schedule,
  type Tick,
  valueName,
} from './guarded.ts';
import { invariantsOf, type Row } from './invariant.ts';
import { KeptCalls } from './kept.ts';
import { MachineLowering, type MachineSink } from './machines.ts';
import { Places } from './places.ts';
import { rememberedIn } from './remembered.ts';
import { EquationSides, isConstant } from './sides.ts';
import { definition, existenceOf } from './sink.ts';
import { withSites } from './sites.ts';
import { withoutTexts } from './texts.ts';
import { withUnused } from './unused.ts';
import { assignedInWhen, ScalarLayout, scalarsOf } from './variables.ts';
import { assertion, WhenLowering } from './whens.ts';

/** What belongs to no place in particular. */
const nowhere: Origin = { span: undefined, component: '' };

/** Scalar variables, and scalar equations, of one model. */
const mostScalars = 2_000_000;

/** `written` are paths of built-in components that stand in the model with their equations instead of their code. */
export function lowerModel(flat: FlatModel, written: ReadonlySet<string> = new Set()): GuardedModel {
  return new Lowering(withUnused(withoutTexts(withEquations(flat, written)))).run();
}

/** How many scalars there are up to each variable. */
function* growth(flat: FlatModel): Generator<{ count: number; origin: Origin }> {
  let count = 0;
  for (const { dims, origin } of flat.variables) yield { count: (count += sizeOf(dims)), origin };
}

class Lowering implements EventSink, AlgorithmSink, ClockedSink, MachineSink, ComponentSink {
  readonly pool: Pool;
  readonly scalars: Scalar[] = [];
  readonly relations: Relation[] = [];
  readonly kinks: Kink[] = [];
  readonly promised = new Map<Expr, number>();
  readonly simplified = new Map<Expr, Expr>();
  readonly samples: Sample[] = [];
  readonly ticks: Tick[] = [];
  readonly flags: { readonly initial: number; readonly terminal: number };
  private acting: number | undefined;
  readonly equations: GuardedEquation[] = [];
  readonly actions: Action[] = [];
  conditions: Condition[] = [];
  private readonly warnings: Diagnostic[] = [];
  /** Numbers of the conditions that are structural. */
  readonly structural = new Set<number>();
  readonly calls: FunctionDef[] = [];
  readonly firstCall: number;
  readonly kept: KeptCalls;
  private readonly initialEquations: GuardedEquation[] = [];
  /** Initial equations are lowered: what they compute is computed once. */
  private once = false;
  private readonly events: EventRewriter;
  private readonly clocked: ClockedLowering;
  private readonly whens: WhenLowering;
  private readonly machines: MachineLowering;
  private readonly layout: ScalarLayout;
  private readonly iterators = new Map<number, number>();
  /** Values of parameters that shaped the flat model, by flat symbol; undefined for all others. */
  private readonly shaping = new Map<number, readonly Expr[] | undefined>();
  private readonly places = new Places();
  private readonly sides: EquationSides;
  private readonly context: ScalariseContext;
  private readonly inlined = new Map<Expr, Expr>();
  /** Equations of invariants that are left out: how many with these sides. */
  private readonly left = new Map<string, number>();
  /** When the variables exist that lowering added. */
  private readonly added = new Map<number, Guard>();

  constructor(readonly flat: FlatModel) {
    this.pool = flat.pool;
    this.firstCall = flat.functions.length;
    this.kept = new KeptCalls(this);
    const assigned = assignedInWhen(flat);
    for (const { count, origin } of growth(flat)) this.limit(count, 'variables', origin);
    this.layout = new ScalarLayout(flat.variables, dataOf(flat));
    this.scalars.length = this.layout.size;
    for (const [symbol, variable] of flat.variables.entries()) {
      if (!this.layout.has(symbol)) continue;
      let element = 0;
      for (const scalar of scalarsOf(variable, assigned.has(symbol)))
        this.scalars[this.layout.at(symbol, element++)] = scalar;
    }
    this.flags = {
      initial: this.addScalar(auxiliary('$initial', 'flag', 'Boolean')),
      terminal: this.addScalar(auxiliary('$terminal', 'flag', 'Boolean')),
    };
    this.context = {
      functions: flat.functions,
      dimsOfSymbol: (symbol) => flat.variables[symbol]!.dims,
      symbolElement: (symbol, index) => this.scalarOf(symbol, index),
      iterators: this.iterators,
      valueOfElement: (symbol, index) => this.shapingValue(symbol, index),
    };
    this.sides = new EquationSides(flat, this.scalars);
    this.events = new EventRewriter(this);
    this.clocked = new ClockedLowering(this, flat.clocks);
    this.whens = new WhenLowering(this);
    this.machines = new MachineLowering(this);
  }

  run(): GuardedModel {
    const invariants = this.findInvariants();
    this.attributes();
    for (const [symbol, value] of invariants)
      this.scalars[symbol] = { ...this.scalars[symbol]!, binding: this.withEvents(value, nowhere) };
    this.conditions = this.lowerConditions();
    for (const equation of this.flat.equations) this.lower(equation, [], this.equations);
    const components = this.flat.components.map((component, k) => lowerComponent(this, component, k));
    this.once = true;
    for (const equation of this.flat.initialEquations) this.lower(equation, [], this.initialEquations);
    this.once = false;
    this.initialEquations.unshift(...this.firstValues());
    const machines = this.flat.machines.map((machine) => this.machines.lower(machine));
    for (const machine of this.flat.machines) this.machines.holdShared(machine);
    this.machines.holdActedOn(machines);
    this.machines.checkShared(this.flat.machines);
    const model = {
      flat: this.flat,
      pool: this.pool,
      functions: this.functions(),
      scalars: this.scalars,
      equations: this.equations,
      initialEquations: this.initialEquations,
      conditions: this.conditions.map((c, k) => ({ ...c, structural: this.structural.has(k) })),
      relations: this.relations,
      kinks: this.kinks,
      promised: this.promised,
      simplified: this.simplified,
      samples: this.samples,
      ticks: this.ticks,
      actions: this.actions,
      machines,
      components: this.withParameters(components),
      slides: [],
      warnings: this.warnings,
      flags: { ...this.flags, ...(this.acting !== undefined && { acting: this.acting }) },
      ...(this.flat.schedule && { schedule: this.scheduled(this.flat.schedule) }),
    };
    return { ...model, remembered: rememberedIn(model) };
  }

  private functions(): FunctionDef[] {
    const own = lowerFunctions(this.pool, this.flat.functions);
    const marked = withSites(this.pool, own, (fn) => this.firstCall + this.calls.push(fn) - 1);
    return [...marked, ...this.calls];
  }

  private lowerConditions(): Condition[] {
    const { machines, conditions } = this.flat;
    const machineOf = new Map(machines.flatMap((m) => m.states.map((s) => [s.condition, m.guard])));
    return conditions.map((c, k) => {
      const value = this.scalar(c.value, c.origin);
      return {
        value,
        label: c.label,
        origin: c.origin,
        structural: false,
        constant: isConstant(this.scalars, value),
        machine: machineOf.get(k),
      };
    });
  }

  /** Variables that are parameters in all but name: their values, which are theirs from now on instead of those of equations. */
  private findInvariants(): ReadonlyMap<number, Expr> {
    const { values, rows } = invariantsOf(this.flat, {
      pool: this.pool,
      rowsOf: (equality, around) => this.rowsOf(equality, around),
      condition: (number) => {
        const { value, origin } = this.flat.conditions[number]!;
        return this.writtenOut(value, origin)[0]!;
      },
      isKnown: (symbol) => this.scalars[symbol]!.kind === 'parameter',
      mayBecomeKnown: (symbol) => ['continuous', 'discrete'].includes(this.scalars[symbol]!.kind),
    });
    for (const symbol of values.keys())
      this.scalars[symbol] = { ...this.scalars[symbol]!, kind: 'parameter' };
    for (const { left, right } of rows) {
      const key = `${left.id},${right.id}`;
      this.left.set(key, (this.left.get(key) ?? 0) + 1);
    }
    return values;
  }

  private rowsOf(equality: FlatEquality, around: readonly FlatFor[]): Row[] {
    const { left, right, origin } = equality;
    const [outer, ...inner] = around;
    if (!outer) {
      const others = this.writtenOut(right, origin);
      return this.writtenOut(left, origin).map((one, k) => ({ left: one, right: others[k]! }));
    }
    const rows: Row[] = [];
    this.iterate(outer, () => rows.push(...this.rowsOf(equality, inner)));
    return rows;
  }

  /** True once nothing but what statements do is missing at an instant. */
  whenActing(): Expr {
    this.acting ??= this.addScalar(auxiliary('$acting', 'flag', 'Boolean'));
    return this.pool.ref(this.acting);
  }

  private scheduled({ tick, cells }: FlatSchedule): Schedule {
    return { flag: this.scalarOf(tick, 0), cells: cells.flatMap((symbol) => this.symbolsOf(symbol)) };
  }

  addScalar(scalar: Scalar): number {
    this.limit(this.scalars.length, 'variables', scalar.variable?.origin);
    this.scalars.push(scalar);
    return this.scalars.length - 1;
  }

  define(symbol: number, value: Expr, origin: Origin): void {
    const guard = existenceOf([value], (own) => this.added.get(own) ?? this.scalars[own]!.variable?.guard);
    this.added.set(symbol, guard);
    this.equations.push(definition(this, symbol, value, guard, origin));
  }

  // -------------------------------------------------------------- variables

  /** Attributes need all symbols to exist, so they follow in a second pass. */
  private attributes(): void {
    for (const symbol of this.flat.variables.keys()) if (this.layout.has(symbol)) this.attributesOf(symbol);
  }

  private attributesOf(symbol: number): void {
    const variable = this.flat.variables[symbol]!;
    const start = this.spread(variable, variable.start);
    const binding = this.spread(variable, variable.binding);
    const nominal = this.spread(variable, variable.nominal);
    const min = this.spread(variable, variable.min);
    const max = this.spread(variable, variable.max);
    for (let e = 0; e < binding.length; e++) {
      const at = this.layout.at(symbol, e);
      this.scalars[at] = {
        ...this.scalars[at]!,
        start: start[e],
        startSymbol: this.startSymbol(at, start[e]),
        binding: binding[e],
        nominal: nominal[e],
        min: min[e],
        max: max[e],
      };
    }
  }

  /** An attribute of every element of a variable. */
  private spread({ dims, origin }: FlatVariable, expr: Expr | undefined): (Expr | undefined)[] {
    const size = sizeOf(dims);
    if (!expr) return new Array(size).fill(undefined);
    const values = this.elements(expr, origin);
    return values.length === size ? values : new Array(size).fill(values[0]);
  }

  /** The scalar of an element; scalars of what was thought to be data of a component are made when they are first used. */
  private scalarOf(symbol: number, element: number): number {
    if (!this.layout.has(symbol)) {
      this.layout.add(symbol, this.scalars.length);
      for (const scalar of scalarsOf(this.flat.variables[symbol]!, false)) this.addScalar(scalar);
      this.attributesOf(symbol);
    }
    return this.layout.at(symbol, element);
  }

  /** Parameters of components, when all is known that uses them. */
  private withParameters(components: readonly Omit<Component, 'parameters'>[]): Component[] {
    const elementsOf = (symbol: number): Expr[] => {
      const variable = this.flat.variables[symbol]!;
      if (!this.layout.has(symbol)) return this.spread(variable, variable.binding) as Expr[];
      return this.symbolsOf(symbol).map((scalar) => this.pool.ref(scalar));
    };
    for (;;) {
      const count = this.scalars.length;
      const result = components.map((component) => ({
        ...component,
        parameters: new Map(
          [...component.flat.parameters].map(([name, symbol]) => [
            name,
            { variable: this.flat.variables[symbol]!, elements: elementsOf(symbol) },
          ]),
        ),
      }));
      // Values of one may be formulas of another one, which needs scalars then.
      if (this.scalars.length === count) return result;
    }
  }

  /** A start value that depends on parameters alone lies in the memory as they do, so that it can be another one in the next run. */
  private startSymbol(symbol: number, start: Expr | undefined): number | undefined {
    const { kind, name, type } = this.scalars[symbol]!;
    if (!start || kind === 'parameter' || kind === 'flag' || !isConstant(this.scalars, start))
      return undefined;
    this.scalars.push({ ...auxiliary(`${name}.start`, 'parameter', type), binding: start });
    return this.scalars.length - 1;
  }

  // -------------------------------------------------------------- expressions

  elements(expr: Expr, origin: Origin): Expr[] {
    return this.writtenOut(expr, origin).map((e) => this.withEvents(e, origin));
  }

  writtenOut(expr: Expr, origin: Origin): Expr[] {
    const { functions } = this.flat;
    return this.located(origin, () =>
      scalarise(this.pool, this.context, expr).map((e) =>
        withInlinedCalls(this.pool, functions, e, this.inlined),
      ),
    );
  }

  withEvents(expr: Expr, origin: Origin): Expr {
    return this.events.rewrite(expr, origin);
  }

  /** What goes wrong inside is reported with its place and the values of the iterators around it. */
  located<T>(origin: Origin, work: () => T): T {
    try {
      return work();
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      const loops = [...this.iterators].map(([k, value]) => `${this.flat.iterators?.[k] ?? 'i'} = ${value}`);
      const notes = loops.length > 0 ? [{ message: `with ${loops.join(', ')}` }] : [];
      throw new Failure(
        problem.stage,
        problem.diagnostics.map((d) => ({
          ...(origin.span && { span: origin.span }),
          ...d,
          notes: [...d.notes, ...notes],
        })),
      );
    }
  }

  /** Constants, and parameters that shaped the flat model, are what they were: subscripts, ranges and structure can rely on them. */
  private shapingValue(symbol: number, index: number): number | undefined {
    const { structural, variability, binding, type } = this.flat.variables[symbol]!;
    if (!(structural || variability === 'constant') || !binding || type === 'String') return undefined;
    if (!this.shaping.has(symbol)) {
      this.shaping.set(symbol, undefined);
      this.shaping.set(symbol, scalarise(this.pool, this.context, binding));
    }
    const value = this.shaping.get(symbol)?.[index];
    return value?.kind === 'const' ? value.value : undefined;
  }

  scalar(expr: Expr, origin: Origin): Expr {
    return this.elements(expr, origin)[0]!;
  }

  // -------------------------------------------------------------- equations

  /** Arrays are written out: what would not fit into the memory is refused before it fills it. */
  private limit(count: number, what: string, origin: Origin | undefined): void {
    if (count < mostScalars) return;
    const message = `The model has more than ${mostScalars} scalar ${what}.`;
    throw Failure.of('translate', 'limit-exceeded', message, { span: origin?.span });
  }

  private lower(family: FlatEquation, guard: Guard, out: GuardedEquation[]): void {
    this.limit(out.length, 'equations', family.origin);
    const equation = this.places.placed(family);
    switch (equation.kind) {
      case 'equal':
        this.equate(equation.left, equation.right, equation.origin, guard, out);
        return;
      case 'call':
        for (const [k, output] of equation.outputs.entries()) {
          if (!output) continue;
          this.equate(output, this.pool.call(equation.fn, equation.args, k), equation.origin, guard, out);
        }
        return;
      case 'for':
        this.iterate(equation, () => {
          for (const inner of equation.body) this.lower(inner, guard, out);
        });
        return;
      case 'if':
        this.lowerIf(equation, guard, out);
        return;
      case 'when':
        this.whens.lower(equation, guard, out);
        return;
      case 'algorithm':
        this.lowerAlgorithm(equation, guard, out);
        return;
      case 'assert':
        this.actions.push(this.asserted(equation, guard));
        return;
      case 'clocked':
        this.clocked.lower(equation);
        return;
    }
  }

  iterate(
    { iterator, range, origin, array }: Pick<FlatFor, 'iterator' | 'range' | 'origin' | 'array'>,
    work: () => void,
  ): void {
    for (const value of this.elements(range, origin)) {
      if (value.kind !== 'const') throw new Error('a for-range that is not constant reached lowering');
      this.iterators.set(iterator, value.value);
      if (array === undefined) work();
      else this.places.within(array, value.value, work);
    }
    this.iterators.delete(iterator);
  }

  symbolsOf(variable: number): number[] {
    const size = sizeOf(this.flat.variables[variable]!.dims);
    return Array.from({ length: size }, (_, k) => this.scalarOf(variable, k));
  }

  changesContinuously(expr: Expr): boolean {
    return this.sides.changesContinuously(expr);
  }

  trigger(conditions: readonly Expr[], guard: Guard, origin: Origin, out: GuardedEquation[]): Expr {
    return this.whens.trigger(conditions, guard, origin, out);
  }

  describe(expr: Expr): string {
    return printExpr(expr, {
      nameOfSymbol: (symbol) => this.scalars[symbol]!.name,
      nameOfValue: (symbol, value) => valueName(this.scalars[symbol]!, value),
    });
  }

  private equate(left: Expr, right: Expr, origin: Origin, guard: Guard, out: GuardedEquation[]): void {
    const rows = this.rowsOf({ kind: 'equal', left, right, origin }, []).filter(
      (row) => !this.leavesOut(row),
    );
    const values = rows.map((row) => this.withEvents(row.left, origin));
    const others = rows.map((row) => this.withEvents(row.right, origin));
    for (const [k, value] of values.entries()) {
      const { left, right, assigns } = this.sides.oriented(value, others[k]!, origin, this.once);
      out.push({ guard, left, right, assigns, origin });
    }
  }

  /** Whether an equation says no more than what an invariant is. */
  private leavesOut({ left, right }: Row): boolean {
    if (this.left.size === 0 || this.once) return false;
    const key = `${left.id},${right.id}`;
    const count = this.left.get(key) ?? 0;
    if (count > 0) this.left.set(key, count - 1);
    return count > 0;
  }

  private lowerAlgorithm(equation: FlatAlgorithm, guard: Guard, out: GuardedEquation[]): void {
    const { origin } = equation;
    for (const { symbol, value, between } of executed(this, equation, guard, out)) {
      const row = definition(this, symbol, value, guard, origin);
      if (row.assigns !== undefined && !this.once) this.sides.checkDiscrete(symbol, between, origin);
      out.push(row);
    }
  }

  /**
   * Branches whose rows can be paired so that both sides of each pair have the same structure become one row with a
   * conditional expression; all others are guarded, and their conditions are structural.
   */
  private lowerIf(equation: FlatIf, guard: Guard, out: GuardedEquation[]): void {
    const branches: GuardedBranch[] = [];
    const path: { condition: number; value: boolean }[] = [];
    for (const branch of equation.branches) {
      const own = branch.condition === undefined ? [] : [{ condition: branch.condition, value: true }];
      const rows: GuardedEquation[] = [];
      for (const inner of branch.body) this.lower(inner, [...guard, ...path, ...own], rows);
      branches.push({ condition: branch.condition, rows });
      if (branch.condition !== undefined) path.push({ condition: branch.condition, value: false });
    }
    const eventless = path.some(({ condition }) => this.isEventless(condition));
    if (eventless && branches.every(({ rows }) => rows.length === 0)) return;
    const merged = mergeBranches(this.pool, this.conditions, branches, guard, eventless);
    if (merged) {
      if (!this.once)
        for (const { assigns, right, origin } of merged)
          if (assigns !== undefined) this.sides.checkDiscrete(assigns, right, origin);
      out.push(...merged);
      return;
    }
    for (const { condition } of path) this.makeStructural(condition);
    for (const branch of branches) out.push(...branch.rows);
  }

  /** Conditions on the way that change without events are part of what is asserted. */
  private asserted(equation: FlatAssert, guard: Guard): Action {
    const { pool } = this;
    const flowing = guard.filter(({ condition }) => this.isEventless(condition));
    const action = assertion(
      this,
      equation,
      undefined,
      guard.filter((one) => !flowing.includes(one)),
    );
    if (action.kind !== 'assert') return action;
    const condition = flowing.reduce((inner, { condition: number, value }) => {
      const own = this.conditions[number]!.value;
      return pool.apply('or', value ? pool.not(own) : own, inner);
    }, action.condition);
    return { ...action, condition };
  }

  /** Only what changes at events can choose between structures: `noEvent` has no effect there. */
  private makeStructural(number: number): void {
    this.structural.add(number);
    const { pool } = this;
    const { label, origin } = this.conditions[number]!;
    const { value, connects } = this.flat.conditions[number]!;
    if (!this.isEventless(number)) return;
    const watched = substitute(pool, value, (node, below) =>
      node.kind === 'apply' && node.op === 'noEvent' ? below[0] : undefined,
    );
    this.conditions[number] = { ...this.conditions[number]!, value: this.scalar(watched, origin) };
    const about = `The condition ${label} chooses between equations of different structure`;
    if (connects || this.isEventless(number))
      throw Failure.of('translate', 'variability', `${about}, but causes no events.`, {
        span: origin.span,
        hint: 'Remove noEvent from it.',
      });
    const message = `${about}, which can change at events only: \`noEvent\` has no effect.`;
    this.warnings.push(warning('variability', message, { span: origin.span, hint: 'Remove noEvent.' }));
  }

  private isEventless(condition: number): boolean {
    return this.sides.changesContinuously(this.conditions[condition]!.value);
  }

  /**
   * A variable that only when-equations change keeps what an initial equation gives it (8.6): that is its value before, too,
   * unless a fixed start value says what that is. The initial equation itself stays, as a check.
   */
  private firstValues(): GuardedEquation[] {
    const kept = new Set<number>();
    for (const { assigns, right } of this.equations) {
      if (assigns !== undefined && reachable(right, (e) => e.kind === 'pre' && e.symbol === assigns))
        kept.add(assigns);
    }
    return this.initialEquations.flatMap((row) =>
      row.assigns !== undefined && kept.has(row.assigns) && !this.scalars[row.assigns]!.fixed
        ? [{ ...row, left: this.pool.pre(row.assigns), assigns: undefined }]
        : [],
    );
  }
}
