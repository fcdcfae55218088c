/**
 * FlatModel: what a model is after instantiation and before any analysis. Variables and equations without classes,
 * hierarchy or connections. An array is one symbol, an array equation one equation, a for-equation one family; an
 * if-equation keeps its branches, and everything that exists only sometimes is guarded by a condition.
 * Expressions speak of variables by their index in `variables` (`Ref.symbol`).
 */

import type { BuiltIn, VariableOptions } from '../builtin/component.ts';
import type { HiddenStart } from '../builtin/starts.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef, Statement, ValueType } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Rational } from './rationals.ts';

export interface FlatModel {
  readonly name: string;
  readonly description: string;
  readonly pool: Pool;
  readonly variables: readonly FlatVariable[];
  readonly equations: readonly FlatEquation[];
  readonly initialEquations: readonly FlatEquation[];
  readonly functions: readonly FunctionDef[];
  /** Conditions of if-equations and activity of states, by index. */
  readonly conditions: readonly FlatCondition[];
  readonly machines: readonly FlatMachine[];
  readonly clocks: readonly FlatClock[];
  /** Parts that are code with states of their own. */
  readonly components: readonly FlatComponent[];
  /** What animations show beside the pictures of components; absent where there is nothing. */
  readonly visuals?: readonly FlatVisual[];
  /** The bytes of a file that the model names; throws where there is none. */
  readonly read?: (name: string) => Uint8Array;
  readonly experiment: Experiment;
  /** Present where inputs follow a table. */
  readonly schedule?: FlatSchedule;
  /** Names of the iterators as written, by number. */
  readonly iterators?: readonly string[];
  /** Present where there are clocks: what the model was before they were found. */
  readonly unclocked?: FlatUnclocked;
  /** What is wrong where nothing is but that inputs have no values. */
  readonly unconnected?: Diagnostic;
}

/** Equations with the operators on clocks that were written in them, and machines before clocked ones became equations. */
export interface FlatUnclocked {
  readonly equations: readonly FlatEquation[];
  readonly initialEquations: readonly FlatEquation[];
  readonly machines: readonly FlatMachine[];
  readonly notes: ClockNotes;
  /** Variables that count the ticks in a state. */
  readonly ticks: ReadonlyMap<FlatState, number>;
  /** Declared variables of type Clock. */
  readonly clocks: ReadonlySet<number>;
  /** Symbols from here on were not declared. */
  readonly declared: number;
}

/** The experiment annotation; what is not said is undefined. */
export interface Experiment {
  readonly startTime?: number;
  readonly stopTime?: number;
  readonly tolerance?: number;
  readonly interval?: number;
  readonly intervals?: number;
}

/** The settings by their names in the annotation. */
export const experimentNames: { readonly [name: string]: keyof Experiment } = {
  StartTime: 'startTime',
  StopTime: 'stopTime',
  Tolerance: 'tolerance',
  Interval: 'interval',
  NumberOfIntervals: 'intervals',
};

/** Where something of the flat model comes from. */
export interface Origin {
  readonly span: Span | undefined;
  /** Dotted name of the component whose class holds it, empty for the model itself. */
  readonly component: string;
  /** Where a parameter with bounds gets its value, if that is not where it is declared. */
  readonly given?: Span;
}

export type Variability = 'constant' | 'parameter' | 'discrete' | 'continuous';
export type StateSelect = 'never' | 'avoid' | 'default' | 'prefer' | 'always';

export interface FlatVariable {
  /**
   * Dotted name with subscripts of component arrays: `a.b[2].c`. Elements of an array symbol have theirs at the end, or
   * behind the arrays that it lies `within`; `elementName` puts them in.
   */
  readonly name: string;
  /**
   * The uniform arrays of components around the variable, outermost first (`c` for `c.T` of `Cell c[n]`): its first dimensions are
   * theirs, and its name begins with the path of each of them.
   */
  readonly within?: readonly FlatArray[];
  /** Its place in the order of declaration, among all variables and gathered components; absent where that is the order of symbols. */
  readonly turn?: number;
  readonly type: ValueType;
  /** Names of the literals where the declared type is an enumeration (values are Integers from 1), and the path of the type. */
  readonly literals?: readonly string[];
  readonly enumeration?: string;
  /** Sizes; empty for a scalar. */
  readonly dims: readonly number[];
  /** A size follows from a parameter or from a value: another run may have another one. */
  readonly resizable?: boolean;
  readonly variability: Variability;
  readonly causality: 'input' | 'output' | 'local';
  /** It would be an input, but its declaration or a modification gives it a value. */
  readonly valued?: true;
  readonly flow: boolean;
  readonly unit: string;
  readonly displayUnit: string;
  readonly quantity: string;
  readonly description: string;
  /** Scalar (for all elements) or of the variable's own shape; of any variability. */
  readonly start: Expr | undefined;
  /** `undefined` where not declared. */
  readonly fixed: boolean | readonly boolean[] | undefined;
  readonly min: Expr | undefined;
  readonly max: Expr | undefined;
  readonly nominal: Expr | undefined;
  readonly stateSelect: StateSelect;
  /** Value of a constant or parameter. Bindings of other variables are equations. */
  readonly binding: Expr | undefined;
  /** Protected, or hidden by annotation: not in results by default. */
  readonly hidden: boolean;
  /** What the model says of it: it stays what it is, or does not grow. An audit checks it. */
  readonly kept?: Kept;
  /** A potential of a connector: where nothing determines it, it may be chosen. */
  readonly potential?: true;
  /** It stands for what results hold under another name: not in results at all. */
  readonly copy?: boolean;
  /** Set by the event engine (activity of states): no equation determines it. */
  readonly engine?: boolean;
  /** It is an input that equations determine, those of a table. */
  readonly driven?: true;
  /** What no modification from outside may change: why its value, why its start value. */
  readonly locked?: Readonly<Partial<Record<'value' | 'start', 'final' | 'protected'>>>;
  /** True where the value shapes the flat model itself (sizes, conditional components): fixed after flattening. */
  readonly structural: boolean;
  readonly guard: Guard;
  readonly origin: Origin;
}

export type Kept = 'conserved' | 'dissipated';

/** A uniform array of components, by name. */
export interface FlatArray {
  readonly path: string;
  /** How many dimensions it has. */
  readonly rank: number;
  /** Its class is marked: it is worth loops, however few elements there are. */
  readonly marked?: true;
  /** Where the elements were declared one by one. */
  readonly gathered?: Gathered;
}

/** Components that are taken for the elements of an array. */
export interface Gathered {
  /** How much of the path of the array stands before the names of the components. */
  readonly from: number;
  readonly names: readonly string[];
  /** See `FlatVariable.turn`. */
  readonly turns: readonly number[];
}

/** All of these must hold; empty means always. */
export type Guard = readonly Literal[];

export interface Literal {
  readonly condition: number;
  readonly value: boolean;
}

export interface FlatCondition {
  readonly value: Expr;
  /** How messages and mode signatures speak of it, for example `closed` or `time < 0.5`. */
  readonly label: string;
  /** It is the activity of a state. */
  readonly activity?: true;
  /** It chooses between connections. */
  readonly connects?: true;
  readonly origin: Origin;
}

/**
 * A state machine in continuous time (clocked ones are equations). Its states exclude each other: exactly one of their conditions holds while the machine
 * itself exists (`guard`), and everything that belongs to a state is guarded by its condition.
 */
export interface FlatMachine {
  readonly states: readonly FlatState[];
  /** Index of the initial state. */
  readonly initial: number;
  readonly transitions: readonly FlatTransition[];
  readonly guard: Guard;
  readonly origin: Origin;
}

export interface FlatState {
  /** Dotted name of the component that is the state. */
  readonly name: string;
  /** Index of the condition that holds while the state is active; its value is the variable `active`. */
  readonly condition: number;
  /** Boolean variable that the event engine sets. */
  readonly active: number;
  /** Real variable that the event engine sets: when the state was entered. */
  readonly entered: number;
  /** Variables outside that the state declares as `outer output`, itself or somewhere inside. */
  readonly outputs: readonly number[];
}

export interface FlatTransition {
  /** Indices of states. */
  readonly from: number;
  readonly to: number;
  readonly condition: Expr;
  readonly immediate: boolean;
  readonly reset: boolean;
  readonly synchronize: boolean;
  readonly priority: number;
  /** Values that variables get on the way; right sides use the values before the change. */
  readonly actions: readonly { readonly target: Expr; readonly value: Expr; readonly origin: Origin }[];
  readonly origin: Origin;
}

/**
 * A clock that equations are on: it ticks at `offset`, `offset + period`, `offset + 2 period`, … in units of its base. These
 * are exact fractions, so that clocks that are derived from each other tick at the same instants for ever.
 */
export interface FlatClock {
  /** How messages speak of it. */
  readonly label: string;
  readonly base: ClockBase;
  readonly period: Fraction;
  readonly offset: Fraction;
  readonly origin: Origin;
}

/** `[numerator, denominator]`, integers in lowest terms. */
export type Fraction = readonly [numerator: number, denominator: number];

/**
 * What clocks of one base-partition count in (they share the object).
 * - `periodic`: units of so many seconds from the start of the run on;
 * - `event`: the instants at which the left limit of a Boolean variable becomes true;
 * - `varying`: instants each of which sets how many seconds it is to the next one.
 */
export type ClockBase =
  | { readonly kind: 'periodic'; readonly unit: Expr }
  | { readonly kind: 'event'; readonly condition: Expr }
  | { readonly kind: 'varying'; readonly interval: Expr };

/** Something to see: a component whose variables say by their names what it looks like, or an array of such components. */
export interface FlatVisual {
  readonly kind: 'shape' | 'vector' | 'surface' | 'world';
  /** One of its scalars: its name in the component, and its symbol. */
  readonly field: string;
  readonly anchor: number;
  /** The call that gives the points of a surface, X, Y and Z, and their colours, or why there is none. */
  readonly points?: { readonly fn: number; readonly args: readonly Expr[] } | string;
}

/**
 * A built-in component. Each element of its outputs is determined by code instead of an equation, from hidden states and from the
 * inputs that act on it directly; inputs that act through the states alone do not matter for the order of computation.
 */
export interface FlatComponent {
  /** Dotted name of the instance; signals of the hidden states are named after it. */
  readonly path: string;
  readonly builtIn: BuiltIn;
  /** Initial values of hidden states that are given from outside, by the names of states. */
  readonly starts?: ReadonlyMap<string, HiddenStart>;
  /** What it reads, scalars and arrays, in the order of `builtIn.inputs`. */
  readonly inputs: readonly FlatPort[];
  /** Variables, or elements of them, that it determines, in the order of `builtIn.outputs`. */
  readonly outputs: readonly FlatPort[];
  /** Symbols of the parameters and constants of the class, by their names in it. */
  readonly parameters: ReadonlyMap<string, number>;
  /** Set where it was made from arrays of the model. */
  readonly arrays?: ArrayPart;
  /** Set where several components are one: these, and what joins them. */
  readonly whole?: WholeParts;
  /** What says the same, where the component has equations. */
  readonly equations:
    | { readonly always: readonly FlatEquation[]; readonly initial: readonly FlatEquation[] }
    | undefined;
  readonly guard: Guard;
  readonly origin: Origin;
}

/** Components that are code together, each by itself, with the variables and equations that were added to join them. */
export interface WholeParts {
  readonly parts: readonly FlatComponent[];
  /** What is stored of the parts besides their variables. */
  readonly results: readonly { readonly name: string; readonly options: VariableOptions }[];
  readonly symbols: ReadonlySet<number>;
  readonly equations: ReadonlySet<FlatEquation>;
}

/** A component that was made from arrays of the model (`fields/`). */
export interface ArrayPart {
  /** What is the same for all sizes: components with equal keys can stand for each other. */
  readonly key: string;
  /** How many scalars it determines. */
  readonly scalars: number;
  readonly structure: ArrayStructure;
  /** Whether it divides by what could vanish while a model runs: scalars do without. */
  readonly assumes: boolean;
  /** Start values that are used although nothing fixes them, such as `T = 293.15`. */
  readonly loose: readonly string[];
  /** The variables that it stands for, as they were declared. */
  readonly variables: readonly FlatVariable[];
  /** The component with other values of its own parameters, or other start values. */
  readonly with: (given: readonly ArrayValues[]) => BuiltIn;
  /**
   * Elements that always equal others, counted through its states and then through the variables that it stores: 1 + the number of the
   * other one, negative where it is the negative; 0 for elements that have values of their own.
   */
  readonly copies: () => Int32Array;
}

/** How arrays that stay arrays are computed. */
export interface ArrayStructure {
  readonly states: readonly FlatVariable[];
  /** 0 where there are states alone, else 1. */
  readonly index: 0 | 1;
  /** Nests of loops, and linear systems through arrays with the names of their unknowns. */
  readonly loops: number;
  readonly systems: readonly { readonly unknowns: () => readonly string[] }[];
}

/** Values of a variable, row-major: of the parameter itself, or its start values. */
export interface ArrayValues {
  readonly variable: FlatVariable;
  /** The element to which the first value belongs, by default the first one. */
  readonly first?: number;
  readonly attribute: 'value' | 'start';
  readonly values: readonly (number | string)[];
}

/** Variables that the event engine sets at instants known beforehand, with the values that a run is given for them. */
export interface FlatSchedule {
  /** Boolean variable that is true at the instants. */
  readonly tick: number;
  readonly cells: readonly number[];
}

export interface FlatPort {
  readonly name: string;
  readonly value: Expr;
  /** Sizes of an array; empty for a scalar. */
  readonly dims: readonly number[];
}

export type FlatEquation =
  | FlatEquality
  | FlatCallEquation
  | FlatFor
  | FlatIf
  | FlatWhen
  | FlatAssert
  | FlatAlgorithm
  | FlatClocked;

/** `left = right`, scalar or array (of equal shape). */
export interface FlatEquality {
  readonly kind: 'equal';
  readonly left: Expr;
  readonly right: Expr;
  /** Sizes of both sides where they are recorded; empty for a scalar equation. */
  readonly dims?: readonly number[];
  /** The state that it integrates from tick to tick by a solver method, and the derivative of it (symbols). */
  readonly integrates?: { readonly state: number; readonly slope: number };
  readonly origin: Origin;
}

/** `(a, , b) = f(x)`: each wanted output is equal to `Call` number k; holes are undefined. */
export interface FlatCallEquation {
  readonly kind: 'call';
  readonly outputs: readonly (Expr | undefined)[];
  readonly fn: number;
  readonly args: readonly Expr[];
  readonly origin: Origin;
}

/** A family of equations; ranges are integer expressions of parameters and outer iterators. */
export interface FlatFor {
  readonly kind: 'for';
  readonly iterator: number;
  readonly range: Expr;
  readonly body: readonly FlatEquation[];
  /** The uniform array of components whose elements it runs through, in one dimension of it. */
  readonly array?: FlatArray;
  readonly origin: Origin;
}

/** The first branch whose condition holds is in force; the last one may have no condition (`else`). */
export interface FlatIf {
  readonly kind: 'if';
  readonly branches: readonly {
    readonly condition: number | undefined;
    readonly body: readonly FlatEquation[];
  }[];
  readonly origin: Origin;
}

/**
 * The first branch whose condition becomes true acts. A condition is a Boolean, or an `array` of Booleans: then the branch
 * acts whenever any of them becomes true.
 */
export interface FlatWhen {
  readonly kind: 'when';
  readonly branches: readonly { readonly condition: Expr; readonly body: readonly FlatAction[] }[];
  readonly origin: Origin;
}

/**
 * What a when-branch does. If-equations inside a branch are part of the assigned values and asserted conditions;
 * `when` is present for other actions inside them, which act only where it holds.
 */
export type FlatAction =
  | { readonly kind: 'assign'; readonly target: Expr; readonly value: Expr; readonly origin: Origin }
  | {
      readonly kind: 'reinit';
      readonly target: Expr;
      readonly value: Expr;
      readonly when?: Expr;
      readonly origin: Origin;
    }
  | FlatAssert
  | { readonly kind: 'terminate'; readonly message: Expr; readonly when?: Expr; readonly origin: Origin };

/** What a violation does: it ends the run as a failure, is told, or ends the run as it should (`terminate` outside of `when`). */
export type AssertLevel = 'error' | 'warning' | 'end';

export interface FlatAssert {
  readonly kind: 'assert';
  readonly condition: Expr;
  readonly message: Expr;
  readonly level: AssertLevel;
  readonly origin: Origin;
}

/**
 * An algorithm section whose conditions cause events: its statements, in their order, determine all assigned variables
 * together. What causes no events (`while`, `for` without relations) stands in it as calls of functions; ranges of
 * for-statements are known.
 */
export interface FlatAlgorithm {
  readonly kind: 'algorithm';
  /** What it assigns, with the values on entry. */
  readonly assigned: readonly { readonly symbol: number; readonly entry: Expr }[];
  readonly body: readonly FlatStatement[];
  readonly origin: Origin;
}

export type FlatStatement = Statement<FlatWhenStatement | FlatTerminate | FlatWarning>;

/** The first branch whose condition becomes true acts; conditions are those of `FlatWhen`. */
export interface FlatWhenStatement {
  readonly kind: 'when';
  readonly branches: readonly { readonly condition: Expr; readonly body: readonly FlatStatement[] }[];
  readonly span: Span;
}

export interface FlatTerminate {
  readonly kind: 'terminate';
  readonly message: Expr;
  readonly span: Span;
}

/** An assertion that only warns. */
export interface FlatWarning {
  readonly kind: 'warn';
  readonly condition: Expr;
  readonly message: Expr;
  readonly span: Span;
}

/**
 * Equations that hold at the ticks of a clock, of any form; `variables` are the unknowns that they determine. Between the
 * ticks the variables keep their values, and so do those whose equations are guarded by the activity of a state that is not
 * active. Several states may have equations for the same variable. `Pre` is their value at the tick before; variables of other clocks and of
 * continuous time occur as values that are known.
 */
export interface FlatClocked {
  readonly kind: 'clocked';
  /** Index into `clocks`. */
  readonly clock: number;
  readonly body: readonly FlatEquation[];
  readonly variables: readonly number[];
  /** Variables that have their start values instead of those at the tick before where a Boolean variable is true. */
  readonly resets: readonly { readonly variable: number; readonly flag: number }[];
  readonly origin: Origin;
}

/** Where the ticks of a clock come from. */
export type ClockSource =
  | { readonly kind: 'rational'; readonly period: Rational }
  /** Every `interval` seconds, a parameter expression. */
  | { readonly kind: 'real'; readonly interval: Expr }
  /** When a Boolean variable becomes true. */
  | { readonly kind: 'event'; readonly condition: Expr; readonly startInterval: Expr }
  /** `interval` seconds after each tick, a clocked expression. */
  | { readonly kind: 'varying'; readonly interval: Expr };

/** How the clock of a result follows from that of the argument. */
export type ClockRelation =
  /** Continuous time to clocked and back: none. */
  | { readonly kind: 'sample' | 'hold' }
  /** Slower (or faster, if it is below 1) by a factor; undefined if it is to be inferred. */
  | { readonly kind: 'subSample' | 'superSample'; readonly factor: Rational | undefined }
  /** Later by this part of the interval; earlier where it is negative. */
  | { readonly kind: 'shiftSample' | 'backSample'; readonly shift: Rational }
  /** On any clock of the same base. */
  | { readonly kind: 'noClock' }
  /** The same clock. */
  | { readonly kind: 'interval' | 'firstTick' };

export interface Conversion {
  readonly relation: ClockRelation;
  readonly result: number;
  /** What is converted: a variable, or a value that does not change. */
  readonly argument: Expr | undefined;
  /** Symbols of clocks that the result is on. */
  readonly clock: number | undefined;
  readonly origin: Origin;
}

/** What flattening notes about clocks. */
/** How derivatives on a clock are integrated from tick to tick. */
export const solverMethods = [
  'ExplicitEuler',
  'ExplicitMidPoint2',
  'ExplicitRungeKutta4',
  'ImplicitEuler',
  'ImplicitTrapezoid',
] as const;
export type SolverMethod = (typeof solverMethods)[number];

export class ClockNotes {
  readonly conversions: Conversion[] = [];
  readonly sources: { readonly symbol: number; readonly source: ClockSource; readonly origin: Origin }[] = [];
  /** Clocks that are not declared. */
  readonly symbols = new Set<number>();
  /** Methods by which clocks integrate their equations. */
  readonly methods = new Map<number, SolverMethod>();
  /** Variables of which `previous` is used, and where first. */
  readonly previous = new Map<number, Origin>();
  /** Variables of which the left limit is used, by `pre`, `edge` or `change`, and where first. */
  readonly leftLimits = new Map<number, { readonly operator: string; readonly origin: Origin }>();
  /** The clock of equations inside `when clock then`. */
  readonly clockOf = new Map<FlatEquation, number>();
  /** Equations of variables that stand for the arguments of conversions. */
  readonly equations: FlatEquation[] = [];

  get any(): boolean {
    return (
      this.conversions.length > 0 ||
      this.sources.length > 0 ||
      this.previous.size > 0 ||
      this.clockOf.size > 0
    );
  }
}

/** Operators that only equations with a clock can use. */
export const clockOperatorNames = [
  'Clock',
  'previous',
  'hold',
  'noClock',
  'subSample',
  'superSample',
  'shiftSample',
  'backSample',
  'interval',
  'firstTick',
] as const;

export type ClockOperator = (typeof clockOperatorNames)[number];

/** Whether a variable is an external object: its value is a number by which a run knows it. */
export const isObject = ({ literals }: Pick<FlatVariable, 'literals'>): boolean => literals?.length === 0;
