/**
 * What all parts of flattening share: the `FlatBuilder` that collects variables, conditions, functions and diagnostics of
 * one model, and the `Context` in which a piece of source text is translated.
 */

import type { BuiltIn } from '../../builtin/component.ts';
import type { BuiltInPart } from '../../builtin/whole.ts';
import { sameItems } from '../../collections/lists.ts';
import type { DiagnosticCode } from '../../diagnostic/codes.ts';
import { type Diagnostic, type DiagnosticOptions, error, type Note } from '../../diagnostic/diagnostic.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { ClassEntity } from '../../model/classes/class.ts';
import type { Dimension } from '../../model/classes/counted.ts';
import type { Instance, ObjectInstance, Scope, VariableInstance } from '../../model/instance.ts';
import type { Library } from '../../model/library.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr, Op } from '../../symbolic/expr.ts';
import type { Externals } from '../../symbolic/foreign.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import { Pool } from '../../symbolic/pool.ts';
import type { ArrayValue } from '../../symbolic/shape.ts';
import type * as ast from '../../syntax/ast.ts';
import type {
  FlatComponent,
  FlatCondition,
  FlatEquation,
  FlatState,
  FlatVariable,
  Guard,
  Origin,
} from '../flat.ts';
import { ClockNotes } from '../flat.ts';
import { describedVariable, Families, subscriptedName } from './families.ts';
import { literalOf, type NameTable } from './text.ts';
import { type Simple, simple, type Value } from './values.ts';

/** The value of a parameter or constant: numbers or texts with their sizes. */
export type Data = ArrayValue<number | string>;

/** Names that hide those of the scope: iterators and the variables of a function. */
interface LocalName {
  readonly name: string;
  readonly value: Value;
  readonly outer: LocalName | undefined;
}

/**
 * An enclosing for-construct whose iterator is kept as a symbol. `unroll` is set when its body needs the value
 * of the iterator (it selects among components, or sizes depend on it); then the construct is translated once a value. `parts` are set when
 * the iterator chooses between equations; then the construct is translated once a part.
 */
export interface Loop {
  readonly iterator: number;
  readonly values: readonly number[];
  unroll: boolean;
  parts?: readonly (readonly number[])[];
  readonly outer: Loop | undefined;
}

export interface Context {
  /** What the text is translated into. */
  readonly builder: FlatBuilder;
  readonly scope: Scope;
  /** Path of the component whose class holds the text. */
  readonly component: string;
  readonly locals: LocalName | undefined;
  readonly loop: Loop | undefined;
  /** The dimension whose last element `end` is, inside a subscript. */
  readonly end: Dimension | undefined;
  /** Inside a function: inputs whose values sizes turn out to depend on, and the input that owns each local. */
  readonly sizing?: { readonly needed: Set<string>; readonly owners: readonly string[] };
  /** Inside a function: variables whose sizes may change, as `:` declares. */
  readonly flexible?: ReadonlySet<string>;
  /** In the body of a loop of statements. */
  readonly looping?: true;
  /** Outside of functions: the iterators of the for-statements around. */
  readonly turns?: readonly Expr[];
  /** Activities of states that hold wherever the text does, by if-equations around it. */
  readonly active?: ReadonlySet<Expr>;
  /** In the condition of a transition: the state that it leaves. */
  readonly state?: FlatState;
  readonly place: 'equation' | 'initial' | 'when' | 'declaration' | 'function';
  /** Whether a string is to be given. */
  readonly wantsText?: boolean;
  /** In a declaration: whether its value is computed when the run begins, so that impure functions may give it. */
  readonly once?: boolean;
  /** In a comprehension or reduction. */
  readonly inExpression?: true;
  /** In a when-equation with a clock. */
  readonly ticking?: true;
  /** In an algorithm section: what its calls do is done in their order. */
  readonly ordered?: true;
  /** What is asked for its sizes alone: the argument of `size` and `ndims`, which may be an array of components. */
  readonly measured?: ast.Node;
  /** A call that stands in `pure(…)`. */
  readonly purified?: ast.Node;
}

export function contextOf(
  builder: FlatBuilder,
  scope: Scope,
  component: string,
  place: Context['place'],
): Context {
  return { builder, scope, component, locals: undefined, loop: undefined, end: undefined, place };
}

export function withLocal(context: Context, name: string, value: Value): Context {
  return { ...context, locals: { name, value, outer: context.locals } };
}

export function spanOf(node: ast.Node, { scope }: Pick<Context, 'scope'>): Span {
  const { lexical, source } = scope;
  return { source: source ?? lexical.definition.source, start: node.start, end: node.end };
}

export function originOf(node: ast.Node, context: Context): Origin {
  return { span: spanOf(node, context), component: context.component };
}

/** A note of a message, at its place where that is known. */
export const note = (message: string, { span }: Pick<Origin, 'span'>): Note => ({
  message,
  ...(span && { span }),
});

/** A user function for fixed sizes: its number, and its outputs as values over its own variables. */
export interface Specialisation {
  readonly index: number;
  readonly outputs: readonly Value[];
}

const always: Guard = [];

/** Answers to questions about connections, which can be given when all of them are known. */
export interface ConnectionAnswers {
  readonly rootedness: ReadonlyMap<Instance, Rootedness>;
  /** How many connects name a connector; absent where none does. */
  readonly cardinality: ReadonlyMap<Instance, Expr>;
}

/** What `isRoot` and `rooted` are for a node of the graph of overconstrained connections; `rooted` for those with branches. */
export interface Rootedness {
  readonly isRoot: Expr;
  readonly rooted: Expr | undefined;
}

/** How a call of a built-in operator becomes a value. */
export type OperatorRule = (node: ast.Call, context: Context) => Value;

/** One element of an array of clocks. */
interface ClockElement {
  readonly array: VariableInstance;
  /** Row-major, from 0. */
  readonly position: number;
}

export class FlatBuilder {
  readonly diagnostics: Diagnostic[] = [];
  /** Qualified name of the model. */
  name = '';
  /** How many subscripts have been met that some values of iterators may put outside of their arrays. */
  unsure = 0;
  /** Operands without influence on a value, as in `0*x`, were left out; with `verbatim` they are kept, since they have a say in clocks. */
  isShortened = false;
  verbatim = false;
  /** Conditions over parameters decide now, whatever other values would mean. */
  deciding = false;
  /** Declared variables; the index is the symbol. */
  readonly instances: VariableInstance[] = [];
  readonly symbols = new Map<VariableInstance, number>();
  /** By symbol: its place in the order of declaration, among all instances. */
  readonly turns: number[] = [];
  readonly families = new Families();
  /** What is wrong would be wrong for arrays of components that are written out, too. */
  conclusive = false;
  /** Real variables that a when-clause assigns. */
  readonly assigned = new Set<VariableInstance>();
  /** Parameters that became structural while flattening. */
  private readonly shaping = new Set<VariableInstance>();
  readonly conditions: FlatCondition[] = [];
  readonly conditionOf = new Map<Expr, number>();
  /** Components that exist only sometimes (states of state machines), with the literals that they add. */
  readonly guards = new Map<ObjectInstance, Guard>();
  /** Groups of conditions of which exactly one holds: the states of one machine. */
  readonly exclusive: number[][] = [];
  readonly states = new Map<ObjectInstance, FlatState>();
  /** Variables that are not declared; their symbols follow those of `instances`. */
  readonly added: FlatVariable[] = [];
  /** `cardinality`, `isRoot` or `rooted` was asked for. */
  asksForConnections = false;
  /** Symbols of what streams into connectors, by stream variable, where it is asked for. */
  readonly streams = new Map<VariableInstance, number>();
  readonly clocks = new ClockNotes();
  /** Arrays of clocks have no symbol: their elements are variables of their own, row-major. */
  readonly clockArrays = new Map<VariableInstance, readonly VariableInstance[]>();
  readonly clockElements = new Map<VariableInstance, ClockElement>();
  /** Variables that count the ticks in a state, where they are asked for. */
  readonly ticks = new Map<FlatState, number>();
  /** Calls of `semiLinear`, by their values. */
  readonly semiLinears = new Map<Expr, { readonly x: Expr; readonly up: Expr; readonly down: Expr }>();
  /** Functions that convert Integers, by the names of enumerations. */
  readonly fromIntegers = new Map<string, number>();
  /** Components that stand for operators which look into the past, the equations of what they read, and their outputs by what they are. */
  readonly components: FlatComponent[] = [];
  readonly looking: { readonly guard: Guard; readonly equation: FlatEquation }[] = [];
  readonly past = new Map<string, readonly Expr[]>();
  readonly functions: FunctionDef[] = [];
  /** Problems of functions with sizes that are known only when they run. */
  readonly sizesAtRun = new Set<Diagnostic>();
  /** Numbers of functions whose bodies are being translated. */
  readonly unfinished = new Set<number>();
  /** By function, then by the sizes of the arguments. */
  readonly specialisations = new Map<ClassEntity, Map<string, Specialisation>>();
  /** Inputs of functions on whose values sizes inside depend. */
  readonly sizing = new Map<ClassEntity, ReadonlySet<string>>();
  /** Functions that are given as arguments, numbered. */
  readonly numbers = new Map<ClassEntity, number>();
  /** Names of the iterators, by number. */
  readonly iterators: string[] = [];
  /** Values of parameters that were asked for; `busy` while being found. */
  readonly values = new Map<VariableInstance, Data | 'busy' | undefined>();
  /** Values of parameters of uniform arrays of components that differ from element to element. */
  readonly elementValues = new Map<VariableInstance, Data | undefined>();
  /** Constants of packages whose bindings are numbers, or cannot be. */
  readonly folded = new Set<VariableInstance>();
  /** Translated declaration equations of variables and of package constants. */
  readonly bindings = new Map<VariableInstance, Simple | 'busy' | undefined>();
  readonly records = new Map<ObjectInstance, Value | 'busy'>();
  private spoils: { readonly from: number; readonly forget: () => void }[] = [];
  private kept: { readonly from: number; readonly told: readonly Diagnostic[] }[] = [];
  /** What was said of something that is kept, beside attempts that were taken back. */
  readonly aside = new Set<Diagnostic>();

  constructor(
    readonly library: Library,
    /** The code that classes may name. */
    readonly builtIns: readonly (BuiltIn | BuiltInPart)[] = [],
    /** Implementations of external functions. */
    readonly externals: Externals = {},
    /** What is known of all connections, from a translation before; expressions in it are of this pool. */
    readonly answers?: ConnectionAnswers,
    readonly pool = new Pool(),
  ) {}

  /** Adds a variable that is not declared. */
  add(variable: FlatVariable): number {
    this.added.push(variable);
    return this.instances.length + this.added.length - 1;
  }

  /** Whether a symbol stands for a value that does not change during a run. */
  isFixed(symbol: number): boolean {
    const { variability } = this.instances[symbol] ?? this.added[symbol - this.instances.length]!;
    return variability === 'constant' || variability === 'parameter';
  }

  /** When an instance exists: the guards of all components around it. */
  guardOf(instance: Instance | undefined): Guard {
    if (this.guards.size === 0 || !instance) return always;
    const outer = this.guardOf(instance.parent);
    const own = instance.kind === 'object' ? this.guards.get(instance) : undefined;
    return own ? [...outer, ...own] : outer;
  }

  /** Notes that the value of a parameter shapes the flat model. */
  makeStructural(instance: VariableInstance): void {
    if (instance.variability === 'parameter') this.shaping.add(instance);
  }

  isStructural(instance: VariableInstance): boolean {
    return instance.structural || this.shaping.has(instance);
  }

  iterator(name: string): number {
    this.iterators.push(name);
    return this.iterators.length - 1;
  }

  /** Adds an error; its place is among the options. */
  reportAt(code: DiagnosticCode, message: string, options: DiagnosticOptions): void {
    this.diagnostics.push(error(code, message, options));
  }

  /**
   * Applies an operator to operands of which some may be arrays. Rules such as `0*x = 0` hold for scalars; on arrays
   * they would lose the sizes, so arrays are combined as they are. The order of the text is kept where the rules only
   * exchange operands: people read these expressions.
   */
  apply(op: Op, dims: readonly number[], ...args: Expr[]): Expr {
    if (dims.length > 0) return this.pool.raw(op, args);
    const simple = this.pool.apply(op, ...args);
    if ((this.verbatim || !this.isShortened) && isLost(simple, args)) {
      if (this.verbatim) return this.pool.raw(op, args);
      this.isShortened = true;
    }
    const exchanged =
      simple.kind === 'apply' && simple.op === op && simple.args[0] === args[1] && simple.args[1] === args[0];
    return exchanged ? this.pool.raw(op, args) : simple;
  }

  /** What an attempt at translation may have added, so that it can be taken back. */
  mark(): readonly [number, number] {
    return [this.diagnostics.length, this.conditions.length];
  }

  /** Notes how to forget what was kept with errors, the first of which is number `from`: where they are taken back, it is translated again. */
  spoiled(from: number, forget: () => void): void {
    if (this.diagnostics.slice(from).some(({ severity }) => severity === 'error'))
      this.spoils.push({ from, forget });
  }

  /** Notes what was said, without an error, of something that is kept: it stays said where what asked for it is taken back. */
  said(from: number): void {
    const told = this.diagnostics.slice(from);
    if (told.length > 0 && told.every(({ severity }) => severity !== 'error')) this.kept.push({ from, told });
  }

  rewind([diagnostics, conditions]: readonly [number, number]): void {
    for (const { from, forget } of this.spoils) if (from >= diagnostics) forget();
    this.spoils = this.spoils.filter(({ from }) => from < diagnostics);
    for (const { from, told } of this.kept)
      if (from >= diagnostics) for (const one of told) this.aside.add(one);
    this.kept = this.kept.filter(({ from }) => from < diagnostics);
    this.diagnostics.length = diagnostics;
    for (const condition of this.conditions.splice(conditions)) this.conditionOf.delete(condition.value);
  }

  /** Stands for what was reported as wrong. */
  get unknown(): Simple {
    return simple(this.pool.zero, 'unknown', 'constant');
  }
}

/** Adds an error at a piece of source text; gives what stands for its value. */
export function report(
  code: DiagnosticCode,
  message: string,
  node: ast.Node,
  context: Context,
  options: DiagnosticOptions = {},
): Simple {
  const { builder } = context;
  builder.reportAt(code, message, { span: spanOf(node, context), ...options });
  return builder.unknown;
}

/** Expressions with more leaves than this are not compared. */
const mostLeaves = 32;

/** Whether what an operator gives is less than its operands: a variable in them is no longer there, as in `0*x`, `y + x - x`, `true or b`. */
function isLost(simple: Expr, args: readonly Expr[]): boolean {
  if (simple.kind === 'apply' && sameItems(simple.args, args)) return false;
  const before = args.map((arg) => leaves(arg));
  if (before.some(({ length }) => length > mostLeaves)) return false;
  const after = leaves(simple);
  return before.some((list) => list.some((leaf) => !after.includes(leaf)));
}

/** Reports a size of a function that is not known before it runs: the function cannot be translated for fixed sizes. */
export function reportSize(...what: Parameters<typeof report>): undefined {
  const { builder } = what[3];
  report(...what);
  builder.sizesAtRun.add(builder.diagnostics.at(-1)!);
}

/** Reports, where nothing can stand for what is wrong. */
export function refuse(...what: Parameters<typeof report>): undefined {
  report(...what);
}

/** Reports, where no equation or statement follows from what is wrong. */
export function omit(...what: Parameters<typeof report>): never[] {
  report(...what);
  return [];
}

/** The context of a branch of an if-equation, whose condition holds and those before it do not: which states are active there. */
export function inBranch(context: Context, denied: readonly Expr[], holds: Expr | undefined): Context {
  const { states, exclusive, conditions } = context.builder;
  if (states.size === 0) return context;
  const active = new Set(context.active);
  if (holds) active.add(holds);
  for (const group of exclusive) {
    const left = group
      .map((condition) => conditions[condition]!.value)
      .filter((own) => !denied.includes(own));
    if (left.length === 1 && group.length > 1) active.add(left[0]!);
  }
  return { ...context, active };
}

/** Names for text about a model that is still being built. */
export function builderNames(builder: FlatBuilder): NameTable {
  return {
    variable: (symbol) =>
      builder.instances[symbol]?.path ?? builder.added[symbol - builder.instances.length]!.name,
    element: (symbol, subscripts) => {
      const instance = builder.instances[symbol];
      const variable = instance
        ? describedVariable(builder.families, instance)
        : builder.added[symbol - builder.instances.length]!;
      return subscriptedName(variable, subscripts, ', ');
    },
    value: (symbol, value) => {
      const instance = builder.instances[symbol];
      if (!instance) return undefined;
      const { path, literals } = instance.enumeration ?? {};
      return literalOf({ type: instance.type, literals, enumeration: path }, value);
    },
    iterator: (iterator) => builder.iterators[iterator]!,
    fn: (fn) => builder.functions[fn]?.name ?? 'f',
  };
}
