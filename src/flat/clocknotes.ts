/**
 * What flattening notes about clocks while it translates expressions and equations (`flat/expressions/clocks.ts`), for clock inference
 * when all of the model is known (`flat/clocks/partitions.ts`).
 */
import type { Expr } from '../symbolic/expr.ts';
import type { FlatEquation, Origin } from './flat.ts';
import type { Rational } from './rationals.ts';

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
export type Relation =
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
  readonly relation: Relation;
  readonly result: number;
  /** What is converted: a variable, or a value that does not change. */
  readonly argument: Expr | undefined;
  /** Symbols of clocks that the result is on. */
  readonly clock: number | undefined;
  readonly origin: Origin;
}

/** What flattening notes about clocks. */
export class ClockNotes {
  readonly conversions: Conversion[] = [];
  readonly sources: { readonly symbol: number; readonly source: ClockSource; readonly origin: Origin }[] = [];
  /** Clocks that are not declared. */
  readonly symbols = new Set<number>();
  /** Variables of which `previous` is used, and where first. */
  readonly previous = new Map<number, Origin>();
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
