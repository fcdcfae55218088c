/**
 * Built-in components: parts of a model whose bulk is code with a memory of its own, after A. Neumayr and M. Otter, "Modelling
 * and Simulation of Physical Systems with Dynamically Changing Degrees of Freedom", Electronics 12(3), 2023, section 4.
 *
 * The model sees a few variables of such a component: inputs, which it reads, and outputs, which it determines. Its states are hidden from
 * the equations and belong to the solver; their number is declared at the start of every segment and may differ from one to the next.
 * So the state vector of a run has an invariant part, from equations, and a variant part, from built-in components.
 *
 *     allocate            once a run
 *     begin               at the start, and after every restart that the component asked for
 *       stateOutputs      at every evaluation, before all equations: from time and states
 *       directOutput      ... when the inputs that act on an output directly are known
 *       derivatives       ... when all inputs are known
 *       indicators        after steps, to find events
 *       variables         where results are stored
 *     follow              after every step: what the inputs were in it
 *     lookAhead           after every step: how far the next may go
 *     event               at every event, when the equations have settled
 *
 * Numbers pass through the typed arrays of a `Point`, which stay the same objects for a whole segment: nothing needs to be
 * allocated while integrating. What a function has to write is NaN before the call.
 */
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import type { DiagnosticOptions } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import type { Picture } from './picture.ts';

/** A component whose bulk is code. `Memory` is what it keeps for one instance; nobody else looks at it. */
export interface BuiltIn<Memory = unknown> {
  /** How a class says that its instances are made by this: `annotation(__Mutabor(builtIn = "name"))`. */
  readonly name: string;
  /**
   * Variables of the class that are read. Names are relative to the instance (`u`, `p.i`); an array lies as a whole in `Point.u`,
   * row by row, and all inputs lie there one after the other.
   */
  readonly inputs?: readonly string[];
  /**
   * Variables of the class that are determined, each with the inputs that act on it directly, that is, without going through a state.
   * They lie in `Point.y` one after the other.
   */
  readonly outputs?: Readonly<Record<string, readonly string[]>>;
  /**
   * Outputs, without direct inputs, that change at events only. To the equations they are constants between events: they may be differentiated,
   * and where one steps, its derivative has an impulse. One that the class declares as discrete has no derivative.
   */
  readonly stepped?: readonly string[];
  /** Inputs whose impulses the component takes care of: in `event` it sees that what they are derivatives of has jumped. */
  readonly absorbs?: readonly string[];
  /** Outputs that show what hidden states are: plots choose them as they choose states. */
  readonly coordinates?: readonly string[];
  /** Whether `variables` does not look at `point.dx`, which then need not be known. */
  readonly storesStates?: boolean;
  /**
   * Equations in the language of the class that say the same. They are used instead of the code where outputs would have to be
   * differentiated or inverted: `"C*der(v) = p.i;"`.
   */
  readonly equations?: string;

  /** What a model can use where its equations would differentiate an output or determine it again, as a sentence. */
  instead?(output: string, wish: 'derivative' | 'value'): string;

  /** Makes the memory of an instance. */
  allocate(instance: Instance): Memory;
  /** Declares what a segment has: states with their initial values, variables to be stored, event indicators. */
  begin(memory: Memory, segment: Segment): void;
  /** Writes those elements of `point.y` on which no input acts directly, from `point.t` and `point.x` alone. */
  stateOutputs?(memory: Memory, point: Point): void;
  /** Writes output number `output` (in the order of `outputs`); only the inputs that act on it directly are known. */
  directOutput?(memory: Memory, point: Point, output: number): void;
  /** Writes all of `point.dx`. */
  derivatives?(memory: Memory, point: Point): void;
  /** Writes all of `point.w`; `point.dx` is known, unless it `storesStates`. */
  variables?(memory: Memory, point: Point): void;
  /** Writes all of `point.z`. There is an event where one of them changes its sign. */
  indicators?(memory: Memory, point: Point): void;
  /**
   * Writes the sign (-1, 1) that each indicator has as long as what it decides stays as it is, also where the indicator is zero up to
   * rounding; 0 where its value tells.
   */
  sides?(memory: Memory, out: Int8Array): void;
  /**
   * A step was taken, or a segment begins: where the next step must end at the latest, so that nothing is passed over. What equations see must stay as it is, but
   * indicators may stand for something else from here on. Undefined at the beginning of a segment: there is nothing to look for in all of it. `isSteady`: in this mode
   * only events change the inputs.
   */
  lookAhead?(memory: Memory, point: Point, isSteady: boolean): Ahead | undefined;
  /**
   * A step was taken, from one time to another: for components that remember what they read. `at` gives the inputs at any time in it, in an array of its own.
   */
  follow?(memory: Memory, from: number, to: number, at: (time: number) => Float64Array): void;
  /**
   * Something happened, here or elsewhere in the model. It may give the states new values, ask for another event, for a restart, or end
   * the run. After changes the equations settle again and it is called once more, until it changes nothing.
   */
  event?(memory: Memory, event: ComponentEvent): void;
  /**
   * What depends on what, where it is known: makes components with many states cheap for implicit methods. Asked at every Jacobian: the same object as long as it is the
   * same.
   */
  pattern?(memory: Memory): ComponentPattern;
  /** Where the numbers of a segment shall lie, for code that needs them in a memory of its own (WebAssembly). */
  arrays?(memory: Memory, sizes: PointSizes): PointArrays;
  /**
   * What the memory holds of a run, as a value: numbers, texts and lists of them, which can be copied and written down. `load` puts it into a memory that was
   * just allocated, also for a point with other arrays; a run then goes on as the one does that it was taken from, without `begin`.
   */
  save?(memory: Memory): unknown;
  load?(memory: Memory, saved: unknown): void;
  /** The run is over: of this memory, `picture` alone may still be asked for. What was made for it may serve another run. */
  end?(memory: Memory): void;
  /** What it looks like, for animations. */
  picture?(memory: Memory): Picture;
  /** Says in words of the model why a run cannot go on, where this component knows it. */
  explain?(memory: Memory, trouble: Trouble): Explanation | undefined;
}

/** How far a component can look. */
export interface Ahead {
  /** The next step must not go further; the present time asks for an event now, after a step. */
  readonly until: number;
  /** Whether indicators stand for something else than before. */
  readonly renewed: boolean;
  /** Whether what comes is stiff in quantities that are below the tolerance, where steps would not show it. */
  readonly isStiff?: boolean;
}

/** What ends a run. */
export type Trouble =
  /** What the component gives is no number, although its inputs are: a derivative, an output or a variable. */
  | { readonly kind: 'not-finite'; readonly time: number }
  /** Equations do not determine their unknowns; these are all variables in them. */
  | { readonly kind: 'singular'; readonly time: number; readonly variables: ReadonlySet<string> }
  /** Steps would become too small. */
  | { readonly kind: 'small-steps'; readonly time: number }
  /** At one instant the component changes without end. */
  | { readonly kind: 'endless'; readonly time: number };

export interface Explanation extends DiagnosticOptions {
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** The value of a parameter; arrays are nested lists. */
export type ParameterValue = number | boolean | string | readonly ParameterValue[];

/** Where a variable lies in `Point.u` or `Point.y`. */
export interface Place {
  readonly start: number;
  readonly length: number;
  /** Sizes of an array; empty for a scalar. */
  readonly dims: readonly number[];
}

/** An instance of the class, as its built-in part sees it. Asking for what there is not is a mistake of the component. */
export interface Instance {
  /** Dotted name in the model. */
  readonly path: string;
  /** Where it is declared, for messages. */
  readonly origin: { readonly span: Span | undefined };
  /** The same object in runs in which all parameters and start values are the same: what follows from these alone need not be made again. */
  readonly values?: object | undefined;
  /** The value of a parameter or constant of the class, `R` or `data.mass`. */
  parameter(name: string): ParameterValue;
  /** As `parameter`, for one that is a number. */
  number(name: string): number;
  /** As `parameter`, for an array of numbers: its elements row by row. */
  numbers(name: string): Float64Array;
  /** Sizes of a parameter; empty for a scalar. */
  sizes(name: string): readonly number[];
  /** Start values of an output, where its declaration or a modification gives them. */
  start(name: string): readonly number[] | undefined;
  input(name: string): Place;
  output(name: string): Place;
}

/** The start of a segment. */
export interface Segment {
  readonly time: number;
  /** Nothing precedes: the run begins, or a state machine has entered the component anew. */
  readonly first: boolean;
  /** Values of a state or variable at the end of the segment before; undefined where it was not there. */
  previous(name: string): Float64Array | undefined;
  /** Declares a state and gives its place in `Point.x`. */
  state(name: string, options: StateOptions): number;
  /** Declares a variable to be stored and gives its place in `Point.w`. */
  variable(name: string, options?: VariableOptions): number;
  /** The same of many, one after the other; gives the place of the first. A list that is frozen with all that is in it is looked at once, however many segments declare it. */
  variables(list: readonly VariableDeclaration[]): number;
  /** Declares a parameter or anything else that has the same value in the whole run, for the results. */
  constant(name: string, options: ConstantOptions): void;
  /** Declares event indicators and gives the place of the first in `Point.z`. */
  indicators(count: number): number;
  /** Asks for an event at a time to come. Of several the earliest counts; others must be asked for again. */
  nextEvent(time: number): void;
}

export interface VariableOptions {
  readonly unit?: string;
  readonly description?: string;
  /** Sizes of an array; a scalar where it is missing. */
  readonly size?: number | readonly number[];
  /** By dimension, increasing: how much of the name goes before its subscript; all of it where it is missing. `a.b` with the place 1 has the elements `a[1].b` and so on. */
  readonly places?: readonly number[];
  /** By dimension: names that elements have in place of a subscript; they replace what of the name stands from `from` to the place. */
  readonly names?: readonly ({ readonly from: number; readonly names: readonly string[] } | undefined)[];
  /** Bounds; a value outside of them is reported once. */
  readonly min?: number;
  readonly max?: number;
  /** Unit that the model declares for showing it. */
  readonly displayUnit?: string;
  /** Not shown by default. */
  readonly hidden?: boolean;
  /** It is an output of the model, which plots show first. */
  readonly output?: boolean;
  /** It shows what hidden states are: plots choose it as they choose states. */
  readonly state?: boolean;
}

export interface VariableDeclaration {
  readonly name: string;
  readonly options?: VariableOptions;
}

export interface ConstantOptions extends VariableOptions {
  /** Its value; an array of values makes a vector where `size` is missing. */
  readonly value: number | ArrayLike<number>;
  readonly type?: 'Real' | 'Integer' | 'Boolean';
}

export interface StateOptions extends VariableOptions {
  /** Initial value; an array of values makes a vector where `size` is missing, a number is that of all elements. */
  readonly start: number | ArrayLike<number>;
  /** The size of what counts as small, for error control; 1 where it is missing. */
  readonly nominal?: number;
  /** Whether the derivative is stored in the results as well. */
  readonly derivative?: boolean;
}

/** How many numbers of each kind a segment has; there are as many derivatives as states. */
export type PointSizes = { readonly [Name in Exclude<keyof PointArrays, 'dx'>]: number };

/** Numbers of a segment, each in one array. */
export interface PointArrays {
  /** States. */
  readonly x: Float64Array;
  /** Their derivatives. */
  readonly dx: Float64Array;
  /** Inputs. */
  readonly u: Float64Array;
  /** Outputs. */
  readonly y: Float64Array;
  /** Variables that are stored. */
  readonly w: Float64Array;
  /** Event indicators. */
  readonly z: Float64Array;
}

/** A point at which a component is evaluated. */
export interface Point extends PointArrays {
  /** Time. */
  readonly t: number;
}

/** An instant at which something happens. */
export interface ComponentEvent {
  readonly point: Point;
  /** Inputs as they were when the component was last told at this instant, or else just before it; where the first segment begins, as they are. */
  readonly before: Float64Array;
  /** Impulses of inputs since the component was last told. */
  readonly impulses: Float64Array;
  /** Indicators that changed their sign. */
  readonly crossed: readonly number[];
  /** Whether the time that was asked for by `nextEvent` has come. */
  readonly due: boolean;
  /** Whether the segment has just begun: now inputs are known, and initial values may depend on them. */
  readonly began: boolean;
  nextEvent(time: number): void;
  /** Tells that outputs or derivatives are others from here on, though the states are not: the equations settle again. */
  changed(): void;
  /** As `changed`, of a component that gets on at this instant, as a program does with its commands, and itself sees to it that this ends. */
  advanced(): void;
  /** Asks for a new segment at this instant: `begin` is called again. */
  restart(): void;
  /** Ends the run. */
  terminate(message: string): void;
  /** Reports an impulse of something that the component determines, such as a force that holds parts together; those of one instant add up. `unit` is that of the impulse. */
  impulse(name: string, weight: number, unit?: string): void;
  /** Tells the user something once: the same message is not repeated in a run. */
  tell(severity: 'info' | 'warning', message: string, options?: DiagnosticOptions): void;
}

/** Nonzeros by columns: rows of column j are `rows[starts[j] .. starts[j + 1])`, increasing. */
export interface Columns {
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** What depends on what; a part that is missing counts as full. */
export interface ComponentPattern {
  /** Derivatives (rows) by states (columns). */
  readonly derivativesByStates?: Columns;
  /** Derivatives by inputs. */
  readonly derivativesByInputs?: Columns;
  /** Outputs by states. */
  readonly outputsByStates?: Columns;
}

/** Nonzeros of a square matrix of n rows with so many diagonals below and above its main diagonal. */
export function banded(n: number, below: number, above: number): Columns {
  const starts = new Int32Array(n + 1);
  const rows: number[] = [];
  for (let j = 0; j < n; j++) {
    for (let i = Math.max(0, j - above); i <= Math.min(n - 1, j + below); i++) rows.push(i);
    starts[j + 1] = rows.length;
  }
  return { starts, rows: Int32Array.from(rows) };
}

/** Nonzeros of a matrix with so many columns, at pairs of row and column. */
export function scattered(
  columns: number,
  places: readonly (readonly [row: number, column: number])[],
): Columns {
  const sorted = [...places].sort(([i, j], [k, l]) => j - l || i - k);
  const starts = new Int32Array(columns + 1);
  for (const [, column] of sorted) starts[column + 1]!++;
  for (let j = 0; j < columns; j++) starts[j + 1]! += starts[j]!;
  return { starts, rows: Int32Array.from(sorted, ([row]) => row) };
}
