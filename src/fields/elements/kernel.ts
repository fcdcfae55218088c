/** Kernels: what the vector part computes, as loops over elements and as linear systems through arrays. */
import type { Expr, Ref } from '../../symbolic/expr.ts';

export interface KernelStatement {
  readonly target: Ref;
  readonly value: Expr;
}

/** An array, or its derivative. */
export type ArrayOrder = Pick<Ref, 'symbol' | 'order'>;

/** One element of it, row-major from 0. */
export interface ArrayElement extends ArrayOrder {
  readonly element: number;
}

export const keyOf = ({ symbol, order }: ArrayOrder): string => `${symbol} ${order}`;

/** A nest of loops; in each turn the statements are computed one after the other. */
export interface Kernel {
  /** How many times each loop runs, outermost first. */
  readonly extents: readonly number[];
  /** The last turn comes first. */
  readonly reversed: boolean;
  readonly statements: readonly KernelStatement[];
  /** No turn reads what another turn has written: any part of it can be computed alone. */
  readonly parallel: boolean;
  /** Turns hand on two values or more, which depend on each other: what is wrong at one end may grow to the other (`fields/sorting/shooting.ts`). */
  readonly coupled?: boolean;
  /** The statements are solved together instead; they tell what is read and determined. */
  readonly system?: LinearSystem;
}

export interface LinearSystem {
  readonly rows: readonly LinearRow[];
  /** Numbers of unknowns, by symbol and order and then by element; -1 where an element is none. */
  readonly unknowns: ReadonlyMap<string, Int32Array>;
  readonly size: number;
  /** Diagonals below and above the main diagonal, where row k is that of unknown k. */
  readonly lower: number;
  readonly upper: number;
  /** By number of the unknown: its row. */
  readonly equations: readonly { readonly row: LinearRow; readonly turn: number }[];
  /** Unknowns that need each other are `order[starts[b] .. starts[b + 1])`; each needs none of those after it. */
  readonly order: Int32Array;
  readonly starts: Int32Array;
  /** Elements that rows read of the unknown arrays and that are determined before. */
  readonly known: readonly ArrayElement[];
}

/** `target = rest + Σ coefficient·access` in each turn. */
export interface LinearRow {
  readonly target: Ref;
  readonly extents: readonly number[];
  readonly rest: Scratch;
  readonly terms: readonly { readonly access: Ref; readonly coefficient: Scratch }[];
}

/** An array of the field's own that loops fill. */
export interface Scratch {
  readonly symbol: number;
  readonly size: number;
}
