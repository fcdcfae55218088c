/**
 * A field: the vector part of a model, ready to be compiled. Its variables are arrays (and scalars that are computed from whole arrays); kernels
 * compute them in order. Symbols from `firstHidden` on are arrays of the field's own: numbers, initial values.
 */
import type { FlatVariable } from '../flat/flat.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { ArrayElement, Kernel } from './elements/kernel.ts';
import type { ElementRelation } from './sorting/relations.ts';

/** Symbols of arrays that no variable of the model is. */
export const firstHidden = 2 ** 28;

export interface Field {
  readonly pool: Pool;
  /** User functions of the model, by the numbers that calls have. */
  readonly functions: readonly FunctionDef[];
  readonly states: readonly FieldState[];
  /** Arrays and scalars that kernels compute from states, inputs and parameters; those that are no variables of the model (`copy`) come last, and are no results. */
  readonly algebraic: readonly FieldVariable[];
  /** Variables of the scalar part that kernels read, scalars and whole arrays. */
  readonly inputs: readonly FieldVariable[];
  /** Parameters of the scalar part that kernels read. */
  readonly parameters: readonly FieldVariable[];
  /** Parameters that only the field knows, computed once. */
  readonly own: readonly FieldVariable[];
  /** Signs of parameters that equations were solved with, for all elements alike. */
  readonly signs: readonly { readonly symbol: number; readonly size: number; readonly sign: number }[];
  /** Something was divided by that could vanish (`fields/sorting/divisors.ts`). */
  readonly assumes: boolean;
  /** Arrays of numbers. */
  readonly data: readonly { readonly symbol: number; readonly values: Float64Array }[];
  /** Relations of elements that cause events. */
  readonly relations: readonly ElementRelation[];
  /** Initial values of the scalar part are found together with those of the field. */
  readonly isInitialised: boolean;
  /** Elements that the scalar part reads. */
  readonly outputs: readonly FieldOutput[];
  /** How elements get new values at events. */
  readonly resets: readonly FieldReset[];
  /** Computes own parameters and initial values. */
  readonly once: readonly Kernel[];
  /** Computes everything else, in order. */
  readonly kernels: readonly Kernel[];
}

export interface FieldVariable {
  readonly symbol: number;
  readonly variable: FlatVariable;
  readonly size: number;
  /** Declared bounds of all elements; infinite where there are none. */
  readonly min: number;
  readonly max: number;
}

export interface FieldState extends FieldVariable {
  /** Symbol of the array of initial values. */
  readonly start: number;
  readonly nominal: number;
  /** The start value as text, where nothing fixes it. */
  readonly loose: string | undefined;
}

export interface FieldOutput extends ArrayElement {
  /** Variable of the scalar part that stands for it, and its name. */
  readonly copy: number;
  readonly name: string;
}

/** How one element of a state gets new values. */
export interface FieldReset {
  /** The state, and the number of the element, row-major from 0. */
  readonly symbol: number;
  readonly element: number;
  /** Variables of the scalar part. */
  readonly value: number;
  readonly count: number;
}
