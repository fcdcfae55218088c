/**
 * GuardedModel: a flat model made scalar, with everything that happens at events made explicit. It is built once; every
 * mode is a selection from it. A mode may show that more conditions are structural, or that a kink causes events: that makes another model, which has
 * these and all else in common with the one before (`promote`, `sharpen`). `Ref.symbol` counts `scalars` from here on.
 *
 * What was a relation that can change at an event is a `Held` Boolean; `when` clauses are ordinary equations of
 * discrete variables (`v = if fire then e else pre(v)`) and actions; `sample`, `initial`, `terminal` are flags that the
 * event engine sets.
 */

import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { literalOf } from '../flat/core/text.ts';
import type {
  FlatAssert,
  FlatComponent,
  FlatMachine,
  FlatModel,
  FlatState,
  FlatTransition,
  FlatVariable,
  Fraction,
  Guard,
  Origin,
} from '../flat/flat.ts';
import type { RelationOp } from '../symbolic/arithmetic.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';

export interface GuardedModel {
  readonly flat: FlatModel;
  readonly pool: Pool;
  readonly functions: readonly FunctionDef[];
  readonly scalars: readonly Scalar[];
  readonly equations: readonly GuardedEquation[];
  readonly initialEquations: readonly GuardedEquation[];
  readonly conditions: readonly Condition[];
  readonly relations: readonly Relation[];
  readonly kinks: readonly Kink[];
  /** By expression: how many continuous derivatives `smooth` promises. */
  readonly promised: ReadonlyMap<Expr, number>;
  /** By expression: what `homotopy` has in its place at the beginning. */
  readonly simplified: ReadonlyMap<Expr, Expr>;
  readonly samples: readonly Sample[];
  readonly ticks: readonly Tick[];
  /** Scalars that follow a table, present where there is one. */
  readonly schedule?: Schedule;
  readonly actions: readonly Action[];
  readonly machines: readonly Machine[];
  readonly components: readonly Component[];
  /** Surfaces along which the solution may slide; none unless asked for. */
  readonly slides: readonly Slide[];
  /** Symbols whose left limit is used (`pre`). */
  readonly remembered: readonly number[];
  /** What is said of the model when a run of it begins. */
  readonly warnings: readonly Diagnostic[];
  /** Flags set by the event engine. */
  readonly flags: {
    readonly initial: number;
    readonly terminal: number;
    /** Whether all else has settled, so that statements may act whose calls do something; absent where there are none. */
    readonly acting?: number;
  };
}

/**
 * - `parameter`: known before the run (constants too, and variables that these determine);
 * - `input`: known at any time, set from outside;
 * - `flag`: set by the event engine;
 * - `external`: what the states of a built-in component give, known at any time;
 * - `discrete`: changes at events only;
 * - `continuous`: an unknown that may change at any time.
 */
export type ScalarKind = 'parameter' | 'input' | 'flag' | 'external' | 'discrete' | 'continuous';

/** Whether a scalar is a parameter in all but name: a variable that parameters alone determine (`invariant.ts`). */
export const isInvariant = ({ kind, variable }: Scalar): boolean =>
  kind === 'parameter' &&
  variable !== undefined &&
  variable.variability !== 'parameter' &&
  variable.variability !== 'constant';

/** What a value of a scalar is called, where it is no number. */
export const valueName = ({ type, variable }: Scalar, value: number): string | undefined =>
  literalOf(variable ?? { type }, value);

export interface Scalar {
  readonly name: string;
  readonly kind: ScalarKind;
  readonly type: 'Real' | 'Integer' | 'Boolean';
  /** The declared variable; undefined for what lowering added. */
  readonly variable: FlatVariable | undefined;
  /** Row-major position in an array variable. */
  readonly element: number;
  readonly start: Expr | undefined;
  /** The parameter that holds the start value, where this is known before the run: code reads it there. */
  readonly startSymbol: number | undefined;
  readonly fixed: boolean;
  readonly binding: Expr | undefined;
  readonly nominal: Expr | undefined;
  /** Declared bounds. */
  readonly min: Expr | undefined;
  readonly max: Expr | undefined;
}

export interface GuardedEquation {
  readonly guard: Guard;
  readonly left: Expr;
  readonly right: Expr;
  /** The discrete symbol that this equation computes. */
  readonly assigns: number | undefined;
  /** For one of several equations that are solved together for discrete Reals: the symbol that it brings in. */
  readonly joins?: number;
  readonly origin: Origin;
}

/** A built-in component that exists where the guard of `flat` holds. */
export interface Component {
  readonly flat: FlatComponent;
  /** Elements of the inputs, one after the other. */
  readonly inputs: readonly Expr[];
  readonly outputs: readonly ComponentOutput[];
  /** Parameters and constants of the class, by their names in it. */
  readonly parameters: ReadonlyMap<string, ComponentParameter>;
}

/**
 * A parameter of a component. An array that nothing else uses has no scalars: its sizes are no part of the structure, and its values are
 * known to the component alone.
 */
export interface ComponentParameter {
  readonly variable: FlatVariable;
  /** Row by row; values of a run may stand in place of what is declared. */
  readonly elements: readonly (Expr | number | string)[];
}

/** An output, elements `start .. start + length` of all. */
export interface ComponentOutput {
  readonly start: number;
  readonly length: number;
  /** Scalars of the kind `external`: one for each element, or one that a call depends on. */
  readonly symbols: readonly number[];
  /** Whether inputs act on it directly. */
  readonly direct: boolean;
  /** Index of the equation of its first element; those of the others follow. */
  readonly firstEquation: number;
}

/** A Boolean expression that equations are chosen by. */
export interface Condition {
  readonly value: Expr;
  readonly label: string;
  readonly origin: Origin;
  /** Equations of its branches differ in structure: its value is part of the mode. */
  readonly structural: boolean;
  /** Never changes during a run. */
  readonly constant: boolean;
  /** Named in signatures only where it holds. */
  readonly quiet?: boolean;
  /** For the activity of a state: when its machine exists; then one of the machine's conditions holds. */
  readonly machine: Guard | undefined;
}

/** `left op right`, watched for changes while integrating. */
export interface Relation {
  readonly op: RelationOp;
  readonly left: Expr;
  readonly right: Expr;
  /** Where the relation depends on time and on discrete values alone: the time at which it changes. */
  readonly switchTime: Expr | undefined;
  readonly origin: Origin;
}

/** `sample(start, interval)`: the flag is true at the ticks. */
export interface Sample {
  readonly flag: number;
  readonly start: Expr;
  readonly interval: Expr;
  readonly origin: Origin;
}

/** A clock: the flag is true at its ticks. */
export interface Tick {
  readonly flag: number;
  readonly schedule: /** At `offset`, `offset + period`, … units after the start of the run; the unit is in seconds, a parameter. */
    | { readonly kind: 'periodic'; readonly unit: Expr; readonly period: Fraction; readonly offset: Fraction }
    /** At the start, and `interval` seconds after each tick, as it is computed there. */
    | { readonly kind: 'varying'; readonly interval: Expr };
  readonly origin: Origin;
}

/** At instants known beforehand, the flag is true and the cells have other values; a run is given both. */
export interface Schedule {
  readonly flag: number;
  readonly cells: readonly number[];
}

/** A state machine: symbols of what the event engine sets, transitions with scalar expressions. */
export interface Machine extends Omit<FlatMachine, 'states' | 'transitions'> {
  readonly states: readonly MachineState[];
  readonly transitions: readonly Transition[];
}

export type MachineState = Omit<FlatState, 'outputs'>;

export interface Transition extends Omit<FlatTransition, 'actions'> {
  readonly actions: readonly { readonly target: number; readonly value: Expr; readonly origin: Origin }[];
}

/** What happens at an event besides equations; `fire` says when (for `assert` outside when: at every point). */
export type Action = { readonly guard: Guard; readonly origin: Origin } & (
  | { readonly kind: 'reinit'; readonly fire: Expr; readonly target: number; readonly value: Expr }
  | (FlatAssert & { readonly fire: Expr | undefined })
  | { readonly kind: 'terminate'; readonly fire: Expr; readonly message: Expr }
);

export interface Kink {
  /** The expression as it stands in equations, and with its relation. */
  readonly smooth: Expr;
  readonly bent: Expr;
  readonly relation: number;
  /** Whether it causes events. */
  readonly sharp: boolean;
}

/** One surface with everything that belongs to sliding along it. */
export interface Slide {
  /** Relations whose sides are equal there, and the value that each has above. */
  readonly relations: readonly { readonly relation: number; readonly above: boolean }[];
  /** Symbol of the Boolean that the event engine sets. */
  readonly flag: number;
  readonly condition: number;
  /** Symbol of the share of what holds above; where there is a `difference` above - below, of the share of that. */
  readonly share: number;
  readonly difference: Expr | undefined;
  /** Relations that show that the share is below 0, or above 1. */
  readonly under: number;
  readonly over: number;
}
