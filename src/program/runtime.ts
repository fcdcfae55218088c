/**
 * The runtime of one simulation: the guarded model, the memory in which all values live, and evaluation of single
 * expressions on it. Everything that generated code reads or writes has its slot here.
 */

import { faultIn } from '../code/interpret.ts';
import { Memory } from '../code/memory.ts';
import { OnceProgram } from '../code/once.ts';
import type { AssignItem, PlanContext, Slopes } from '../code/plan.ts';
import { SharedCode } from '../code/shared.ts';
import { Temporaries } from '../code/temporaries.ts';
import type { CodeUnit, Program, Routine } from '../code/unit.ts';
import { compileUnit } from '../code/wasm.ts';
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Span } from '../diagnostic/source.ts';
import type { Origin } from '../flat/flat.ts';
import type { Component, GuardedModel } from '../modes/guarded.ts';
import { type ConditionValues, type Mode, ModeSelector } from '../modes/mode.ts';
import { openParameters, undeclaredStart } from '../modes/variables.ts';
import type { Alias } from '../structure/analysis.ts';
import { Decisions } from '../structure/decisions.ts';
import type { Knowledge } from '../structure/nonzero.ts';
import { leaves, reachable } from '../symbolic/analyse.ts';
import type { CallRule } from '../symbolic/differentiate.ts';
import { type Environment, evaluateIn, evaluateText } from '../symbolic/evaluate.ts';
import type { Expr, Leaf, Ref } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import { Interpreter } from '../symbolic/functions.ts';
import { Tangents } from '../symbolic/tangent.ts';
import { Components } from './components/components.ts';
import { Wording } from './wording.ts';

/** Turns units into programs: WebAssembly, or the interpreter for comparison. */
export type BackEnd = (unit: CodeUnit, memory: Memory) => Program;

/** Assignments whose code is kept beyond the modes that use them. */
const keptAssignments = 300_000;

/** Values of parameters, and of the parameters that hold start values, by scalar. */
export type GivenValues = ReadonlyMap<number, number | string>;

const nothing: GivenValues = new Map();

export class Runtime implements PlanContext {
  /** User functions; derivatives of them are added where they are needed. */
  readonly functions: FunctionDef[];
  readonly memory = new Memory();
  readonly diagnostics: Diagnostic[] = [];
  readonly calls: CallRule;
  readonly temporaries: Temporaries;
  readonly assignments = new Map<Ref, AssignItem>();
  readonly copies = new WeakMap<Alias, AssignItem[]>();
  readonly slopes = new Map<Expr, Slopes>();
  private readonly code: SharedCode;
  private readonly environment: Environment;
  private readonly wording: Wording;
  /** Values of String parameters, by symbol. */
  private readonly texts = new Map<number, string>();
  /** What is known of parameters while structure is analysed. */
  readonly knowledge: Knowledge & { readonly decisions: Decisions };
  /** Parameters whose values are not known before the initial equations are solved. */
  readonly open: ReadonlySet<number>;
  /** Number of the run. */
  run = 0;
  /** Relative tolerance of the run. */
  tolerance = 1e-6;
  /** Values of this run in place of what is declared. */
  private values: GivenValues = nothing;
  /** How many programs were made. */
  programs = 0;
  /** By relation: 1 where some equation, condition, action or transition depends on it. */
  readonly askedRelations: Uint8Array;
  /** Whether something depends on `terminal()`. */
  readonly asksForEnd: boolean;
  /** By equation of the model: 1 where it depends on a relation. */
  readonly asking: Uint8Array;
  /** By scalar: 1 where it has a value in all modes, whatever their equations. */
  readonly given: Uint8Array;
  readonly components: Components;
  private selector: ModeSelector | undefined;
  private readonly findings = new Map<(runtime: Runtime) => unknown, unknown>();
  private readonly switched = new Map<Expr, readonly Leaf[]>();

  constructor(
    /** The model as far as modes have shown what is structural in it. */
    public model: GuardedModel,
    private readonly backEnd: BackEnd = compileUnit,
  ) {
    this.functions = model.functions.slice();
    this.temporaries = new Temporaries(model.pool, this.memory, model.scalars.length);
    this.code = new SharedCode((unit) => backEnd(unit, this.memory), keptAssignments);
    this.wording = new Wording(model, this.functions);
    this.calls = new Tangents(this.functions);
    this.askedRelations = askedRelations(model);
    const kinks = new Set(model.kinks.map((kink) => kink.smooth));
    const bends = (expr: Expr) => kinks.size > 0 && reachable(expr, (node) => kinks.has(node));
    this.asksForEnd = asksFor(model, model.pool.ref(model.flags.terminal));
    this.asking = Uint8Array.from(model.equations, ({ left, right }) =>
      leaves(left).some(isHeld) || leaves(right).some(isHeld) || bends(left) || bends(right) ? 1 : 0,
    );
    this.open = openParameters(model);
    this.knowledge = {
      isParameter: (symbol) => model.scalars[symbol]?.kind === 'parameter' && !this.open.has(symbol),
      evaluate: (expr) => this.evaluate(expr),
      decisions: new Decisions(),
    };
    this.given = Uint8Array.from(model.scalars, ({ kind }) =>
      kind === 'continuous' || kind === 'discrete' ? 0 : 1,
    );
    this.environment = {
      leaf: (leaf) => (leaf.kind === 'ref' ? this.texts.get(leaf.symbol) : undefined) ?? this.get(leaf),
      call: new Interpreter(model.pool, this.functions, undefined, (...call) => this.components.call(...call))
        .call,
      isBoolean: (leaf) => leaf.kind === 'ref' && model.scalars[leaf.symbol]?.type === 'Boolean',
    };
    this.components = new Components(this);
  }

  get pool() {
    return this.model.pool;
  }

  /** What a function finds out about this runtime, once for all runs; functions stand for their findings. */
  finding<T>(find: (runtime: Runtime) => T): T {
    if (!this.findings.has(find)) this.findings.set(find, find(this));
    return this.findings.get(find) as T;
  }

  /** The same where it has been found out already. */
  found<T>(find: (runtime: Runtime) => T): T | undefined {
    return this.findings.get(find) as T | undefined;
  }

  /** The mode for values of all conditions. */
  select(values: ConditionValues): Mode {
    this.selector ??= new ModeSelector(this.model);
    return this.selector.select(this.model, values);
  }

  /** Routines over the memory. */
  unitOf(routines: readonly Routine[]): CodeUnit {
    const { functions, components, memory } = this;
    return { routines, functions, external: components.call, slotOf: memory.slotOf };
  }

  /** Something that runs; where there is more than one mode, modes share code, unless it is `single`. */
  compile(unit: CodeUnit, single = this.model.conditions.length === 0): Program {
    this.programs++;
    return single ? this.backEnd(unit, this.memory) : this.code.program(unit);
  }

  /** As `compile`, for what may be computed only once. */
  compileLater(unit: CodeUnit): OnceProgram {
    return new OnceProgram(unit, this.memory, () => this.compile(unit));
  }

  slot(leaf: Expr): number {
    return this.memory.slotOf(leaf);
  }

  get(leaf: Expr): number {
    const slot = this.slot(leaf);
    return this.memory.values[slot]!;
  }

  set(leaf: Expr, value: number): void {
    const slot = this.slot(leaf);
    this.memory.values[slot] = value;
  }

  /** The value of an expression at the current contents of the memory. */
  evaluate(expr: Expr): number {
    return expr.kind === 'const' ? expr.value : Number(evaluateIn(expr, this.environment));
  }

  /** Where, and why, an expression has no finite value. */
  faultIn(expr: Expr): ReturnType<typeof faultIn> {
    return faultIn(expr, this.environment);
  }

  text(expr: Expr): string {
    return evaluateText(expr, this.environment);
  }

  isDiscrete(symbol: number): boolean {
    const kind = this.model.scalars[symbol]?.kind;
    return kind === 'discrete' || kind === 'flag';
  }

  /** Whether only events change a leaf. */
  switches(leaf: Expr): boolean {
    return (
      leaf.kind === 'held' || leaf.kind === 'pre' || (leaf.kind === 'ref' && this.isDiscrete(leaf.symbol))
    );
  }

  /** Leaves of an expression that only events change. Remembered: modes have most of their equations in common. */
  switchedIn(expr: Expr): readonly Leaf[] {
    let found = this.switched.get(expr);
    if (!found) this.switched.set(expr, (found = leaves(expr).filter((leaf) => this.switches(leaf))));
    return found;
  }

  /** Typical size of a variable. */
  nominalOf(symbol: number): number {
    const declared = this.model.scalars[symbol]?.nominal;
    return (declared && Math.abs(this.evaluate(declared))) || 1;
  }

  /** The start value of a variable in this run. */
  startOf(symbol: number): number {
    const scalar = this.model.scalars[symbol]!;
    const { start, startSymbol } = scalar;
    if (startSymbol !== undefined) return this.get(this.pool.ref(startSymbol));
    return start ? this.evaluate(start) : undeclaredStart(scalar);
  }

  /** The start value of a variable as messages show it. */
  startText(symbol: number): string {
    const { start, variable, type } = this.model.scalars[symbol]!;
    const value = this.startOf(symbol);
    if (variable?.literals) return variable.literals[value - 1] ?? `${value}`;
    if (start && this.evaluate(start) === value && start.kind !== 'const') return this.print(start);
    return type === 'Boolean' ? String(value !== 0) : `${value}`;
  }

  nameOf(symbol: number): string {
    return this.wording.nameOf(symbol);
  }

  /** `x`, `der(x)`, `der(x, 2)`. */
  nameOfRef(ref: Ref): string {
    const name = this.nameOf(ref.symbol);
    if (ref.order === 0) return name;
    return ref.order === 1 ? `der(${name})` : `der(${name}, ${ref.order})`;
  }

  /** What lies in a slot: variables, their derivatives and left limits. */
  slotNames(): (slot: number) => string | undefined {
    const names = new Map<number, string>([[this.slot(this.pool.time), 'time']]);
    for (const symbol of this.model.scalars.keys()) {
      for (let order = 0; order < 3; order++) {
        const ref = this.pool.ref(symbol, order);
        names.set(this.slot(ref), this.nameOfRef(ref));
      }
    }
    for (const symbol of this.model.remembered)
      names.set(this.slot(this.pool.pre(symbol)), `pre(${this.nameOf(symbol)})`);
    for (const k of this.model.relations.keys())
      names.set(this.slot(this.pool.held(k)), this.print(this.pool.held(k)));
    return (slot) => names.get(slot) ?? this.memory.constantAt(slot)?.toString();
  }

  print(expr: Expr): string {
    return this.wording.print(expr);
  }

  describeEquation(index: number): {
    text: string;
    origin: Origin;
    span: Span | undefined;
    component: string;
  } {
    const { left, right, origin } = this.model.equations[index]!;
    const added = left.kind === 'ref' && left.order === 0 && !this.model.scalars[left.symbol]!.variable;
    return {
      text: added ? this.print(right) : `${this.print(left)} = ${this.print(right)}`,
      origin,
      span: origin.span,
      component: origin.component,
    };
  }

  /**
   * Begins another run: nothing of the one before is left in the memory, and parameters have their values. The components of the run may
   * be others than those of the model, as long as they read and determine the same.
   */
  begin(values: GivenValues = nothing, components: readonly Component[] = this.model.components): void {
    this.run++;
    this.values = values;
    this.memory.clear();
    this.texts.clear();
    this.components.begin(components);
    this.evaluateParameters();
  }

  /** Start values of everything as first guesses. */
  prepare(): void {
    const { scalars, pool } = { scalars: this.model.scalars, pool: this.pool };
    for (const [symbol, scalar] of scalars.entries()) {
      if (scalar.kind === 'parameter') continue;
      const value = this.startOf(symbol);
      this.set(pool.ref(symbol), Number.isFinite(value) ? value : 0);
    }
    for (const symbol of this.model.remembered) this.set(pool.pre(symbol), this.get(pool.ref(symbol)));
  }

  private evaluateParameters(): void {
    const { scalars } = this.model;
    const state = new Uint8Array(scalars.length); // 0 new, 1 under way, 2 done
    for (let root = 0; root < scalars.length; root++) {
      const stack = [root];
      while (stack.length > 0) {
        pulse();
        const symbol = stack[stack.length - 1]!;
        if (scalars[symbol]!.kind !== 'parameter' || state[symbol] === 2) {
          stack.pop();
          continue;
        }
        const given = this.values.get(symbol);
        if (given !== undefined) {
          stack.pop();
          state[symbol] = 2;
          if (typeof given === 'string') this.texts.set(symbol, given);
          else this.set(this.pool.ref(symbol), given);
          continue;
        }
        const value = this.parameterValue(symbol);
        const open = state[symbol] === 1 ? [] : this.openParameters(value, state);
        if (open.length === 0) {
          stack.pop();
          state[symbol] = 2;
          if (scalars[symbol]!.variable?.type === 'String')
            this.texts.set(symbol, value ? this.text(value) : '');
          else {
            const known = value ? this.evaluate(value) : undeclaredStart(scalars[symbol]!);
            this.set(this.pool.ref(symbol), this.checked(symbol, known));
          }
          continue;
        }
        state[symbol] = 1;
        const cyclic = open.find((s) => state[s] === 1);
        if (cyclic !== undefined) throw new Failure('translate', [this.cyclicParameter(cyclic)]);
        stack.push(...open);
      }
    }
  }

  /** What is no number, and Integers that doubles cannot hold exactly, are no values. */
  private checked(symbol: number, value: number): number {
    const { type, name, variable, binding } = this.model.scalars[symbol]!;
    const isNumber = !Number.isNaN(value);
    if (isNumber && (type !== 'Integer' || Number.isSafeInteger(value))) return value;
    const fault = binding && this.faultIn(binding);
    const reason = isNumber
      ? `is ${value}: Integers beyond 2^53 are not exact`
      : `has no value${fault ? `: ${fault.reason} in ${this.print(fault.expr)}` : ''}`;
    throw new Failure('translate', [
      error('bad-evaluation', `The parameter ${name} ${reason}.`, { span: variable?.origin.span }),
    ]);
  }

  private parameterValue(symbol: number): Expr | undefined {
    const scalar = this.model.scalars[symbol]!;
    return scalar.binding ?? scalar.start;
  }

  private openParameters(value: Expr | undefined, state: Uint8Array): number[] {
    if (!value) return [];
    return leaves(value).flatMap((leaf) =>
      leaf.kind === 'ref' && this.model.scalars[leaf.symbol]?.kind === 'parameter' && state[leaf.symbol] !== 2
        ? [leaf.symbol]
        : [],
    );
  }

  private cyclicParameter(symbol: number): Diagnostic {
    const scalar = this.model.scalars[symbol]!;
    return error('cyclic-definition', `The parameter ${scalar.name} is defined in terms of itself.`, {
      span: scalar.variable?.origin.span,
      hint: 'Give one parameter of the cycle a value that does not depend on the others.',
    });
  }

  /** Parameters and inputs without a value are worth a warning: a run with a silent zero is a trap. */
  missingValues(): Diagnostic[] {
    return this.model.scalars.flatMap((scalar, symbol) => {
      const { kind } = scalar;
      if ((kind !== 'parameter' && kind !== 'input') || scalar.binding) return [];
      if (!scalar.variable || scalar.element > 0 || this.values.has(symbol)) return [];
      if (scalar.variable.type === 'String' || scalar.variable.fixed === false) return [];
      const used = `${scalar.start ? 'its start value ' : ''}${this.startText(symbol)}`;
      const { name } = scalar.variable;
      const isInput = kind === 'input';
      return [
        warning('no-value', `The ${kind} ${name} has no value; ${used} is used.`, {
          span: scalar.variable.origin.span,
          hint: `Give it one in a modifier, or among the values of the run${isInput ? ', or a column in the table of its inputs' : ''}.`,
          commandHint: `Give it one, for example with --set ${name}=…${isInput ? ', with a table (--input)' : ''} or in a modifier.`,
        }),
      ];
    });
  }
}

const isHeld = (leaf: Expr): boolean => leaf.kind === 'held';

function askedRelations(model: GuardedModel): Uint8Array {
  const asked = new Uint8Array(model.relations.length);
  eachUse(model, (expr) => {
    for (const leaf of leaves(expr)) if (leaf.kind === 'held') asked[leaf.relation] = 1;
  });
  // Bends ask for their relations where they cause events.
  for (const { relation } of model.kinks) asked[relation] = 1;
  return asked;
}

function asksFor(model: GuardedModel, wanted: Leaf): boolean {
  let found = false;
  eachUse(model, (expr) => {
    found ||= leaves(expr).includes(wanted);
  });
  return found;
}

/** All expressions by which something happens or has a value. */
function eachUse(model: GuardedModel, use: (expr: Expr) => void): void {
  for (const { left, right } of model.equations) {
    use(left);
    use(right);
  }
  for (const { value } of model.conditions) use(value);
  for (const action of model.actions) {
    if (action.fire) use(action.fire);
    if (action.kind === 'reinit') use(action.value);
    if (action.kind === 'assert') use(action.condition);
  }
  for (const { transitions } of model.machines) {
    for (const { condition, actions } of transitions) {
      use(condition);
      for (const { value } of actions) use(value);
    }
  }
}
