/**
 * What structural analysis takes and gives. Input is one mode: scalar equations and the variables that exist
 * in it. Output is the order in which everything is computed, with index reduction and state selection done.
 * Notation of Pryce: `c[i]` how often equation i is differentiated, `d[j]` the highest derivative of variable
 * j.
 */
import { countWhile } from '../collections/lists.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr, Leaf, Ref } from '../symbolic/expr.ts';

export interface ScalarEquation {
  /** `left = right`. */
  readonly left: Expr;
  readonly right: Expr;
  /** A discrete-time equation: it can only be solved for this symbol, which stands alone on its left. */
  readonly assigns: number | undefined;
  /** One of several discrete-time equations that are solved together: a symbol of its own among their unknowns. */
  readonly joins?: number | undefined;
  /** Index into the caller's table of equations, for messages and caches. */
  readonly index: number;
}

export interface ScalarVariable {
  readonly symbol: number;
  readonly stateSelect: 'never' | 'avoid' | 'default' | 'prefer' | 'always';
  /** Discrete-time variables are never differentiated and are solved by assignment only. */
  readonly discrete: boolean;
  /**
   * Prefer it as the survivor of alias elimination: it has a fixed start value, is a top level name, …
   * (larger is better).
   */
  readonly weight: number;
  /** The potential of a connector: where nothing determines it, it can be chosen. */
  readonly potential?: boolean;
  /** What flows through a connector: never chosen. */
  readonly flow?: boolean;
  /** Relations compare it. */
  readonly compared?: boolean;
  /** It exists in some modes only: a name of these, the same for variables that come and go together. */
  readonly passing?: string | undefined;
  /** Where it comes into being, it has its start value. */
  readonly fixed?: boolean;
}

/**
 * `symbol = sign * target`, in all derivatives. At most one of the variables that are one appears
 * differentiated.
 */
export interface Alias {
  readonly symbol: number;
  readonly target: number;
  readonly sign: 1 | -1;
}

/** The alias that a symbol is, if it is one; `aliases` are those of a sorted mode. */
export function aliasOf(aliases: readonly Alias[], symbol: number): Alias | undefined {
  const found = aliases[countWhile(aliases.length, (k) => aliases[k]!.symbol < symbol)];
  return found?.symbol === symbol ? found : undefined;
}

/**
 * One step of computation. A `Ref` is a variable or one of its derivatives, taken as an unknown of its own.
 */
export type Block = AssignBlock | SolveBlock;

/** What a block computes. */
export function unknownsOf(block: Block): readonly Ref[] {
  return block.kind === 'assign' ? [block.unknown] : [...block.tears, ...block.inner.map((i) => i.unknown)];
}

/** What a block is computed from, its own unknowns included. */
export function leavesOf(block: Block): readonly Leaf[] {
  const values =
    block.kind === 'assign' ? [block.value] : [...block.inner.map((i) => i.value), ...block.residuals];
  return values.flatMap(leaves);
}

export interface AssignBlock {
  readonly kind: 'assign';
  readonly unknown: Ref;
  readonly value: Expr;
  /** Which equations (indices of the caller) this comes from. */
  readonly equations: readonly number[];
  /** Computes a discrete-time variable: constant between events. */
  readonly discrete: boolean;
}

/**
 * A system of algebraic equations after tearing: guess `tears`, compute `inner` in order, and the `residuals`
 * must vanish. Large sparse systems come without tearing (`inner` empty).
 */
export interface SolveBlock {
  readonly kind: 'solve';
  readonly tears: readonly Ref[];
  readonly inner: readonly { readonly unknown: Ref; readonly value: Expr }[];
  readonly residuals: readonly Expr[];
  /** True when the residuals are linear in all unknowns of the block: one Newton step is exact. */
  readonly linear: boolean;
  /** All unknowns are discrete-time variables: constant between events. */
  readonly discrete: boolean;
  readonly equations: readonly number[];
}

/** A choice of states that depends on values: rows are constraints, columns candidates. */
export interface DynamicSelection {
  readonly candidates: readonly Ref[];
  /** `constraints[r]`: derivatives of constraint r by the candidates that occur in it. */
  readonly constraints: readonly (readonly { readonly column: number; readonly value: Expr }[])[];
  /** Preference of each candidate as a state (larger is better). */
  readonly weights: readonly number[];
  /** Which candidates are solved from the constraints (as many as rows); the others are states. */
  readonly dependent: readonly number[];
}

/** A part whose potentials are determined up to a constant, represented by one of them. */
export interface Floating {
  readonly symbol: number;
  /** Whether it stays as it was; otherwise variables that conditions compare are kept as small as possible. */
  readonly held: boolean;
  /** Whether others depend on it by more than a constant, as densities on a pressure. */
  readonly alone?: true;
  /** The flow that would carry it, and is zero. */
  readonly carrier?: number;
}

/** An equation of the leading system and the constraints below it. */
export interface SortedEquation {
  readonly index: number;
  readonly c: number;
  /** Residuals of the equation and its derivatives: F, F', …, F^(c). */
  readonly residuals: readonly Expr[];
}

export interface SortedVariable {
  readonly symbol: number;
  readonly d: number;
}

export interface SortedMode {
  /** By increasing symbol, as the variables of a mode are given. */
  readonly aliases: readonly Alias[];
  /**
   * Continuous equations left after alias elimination, with their offsets; discrete-time ones are in `blocks`
   * only.
   */
  readonly equations: readonly SortedEquation[];
  /** The continuous variables left; as many as `equations`. */
  readonly variables: readonly SortedVariable[];
  /** Jacobian of the leading system by row: partial derivatives of F_i^(c_i) by x_j^(d_j), with the symbols of x_j. */
  readonly leading: readonly (readonly { readonly symbol: number; readonly value: Expr }[])[];
  /** The states: `ref(symbol, order)`; the derivative of each is `ref(symbol, order + 1)`. */
  readonly states: readonly Ref[];
  /** Everything else, in order of computation, from the states and time. */
  readonly blocks: readonly Block[];
  readonly selections: readonly DynamicSelection[];
  /** Parts of the system whose potentials are determined up to a constant. */
  readonly floating: readonly Floating[];
  /**
   * Structural index as users count it: 0 for an explicit ODE in the states, 1 with algebraic variables, 2
   * and more with constraints.
   */
  readonly index: number;
  readonly diagnostics: readonly Diagnostic[];
}
