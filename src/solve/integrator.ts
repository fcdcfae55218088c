/**
 * What integrators have in common. An integrator owns its state (time, values, history) and nothing else; the
 * system is an interface, so that solvers know nothing of models. The life of a run: `start`, then `step`
 * until the caller is content, `interpolate` anywhere inside the last step, `start` again after a
 * discontinuity. The state is a value: `resume` goes on from it, in the same integrator or another one, as if nothing had happened.
 */
import type { SparsePattern } from '../collections/pattern.ts';
import type { KernelRows } from './rows.ts';

/** y' = f(t, y). */
export interface OdeSystem {
  readonly n: number;
  /**
   * Writes f(t, y) into `dy`. False where f cannot be evaluated there: the integrator then tries a smaller
   * step.
   */
  rhs(t: number, y: Float64Array, dy: Float64Array): boolean;
  /** The Jacobian df/dy; without it, finite differences on `pattern` (or dense) are used. */
  readonly jacobian?: OdeJacobian;
  /** Where df/dy may be nonzero, for finite differences; all entries where it is not given. */
  readonly pattern?: SparsePattern;
  /** Whether `pattern` is a bound only, far from what depends on what: where df/dy is nonzero is then learned from values. */
  readonly loose?: boolean;
  /** The same system with the unknowns of its algebraic equations in the open, where solving for all at once is cheaper. Asked for when it is needed. */
  readonly coupled?: CoupledSystem | undefined;
  /** The right-hand side as WebAssembly, where it is: kernels call that in place of `rhs`, which is called where no finite numbers come of it. */
  readonly direct?: DirectRhs | undefined;
}

/** Functions of WebAssembly, and addresses in a memory that is theirs. */
export interface DirectRhs {
  readonly get: (address: number) => number;
  readonly set: (address: number, value: number) => void;
  /** Computes the derivatives; throws where that cannot be done. */
  readonly run: () => number;
  readonly time: number;
  readonly states: Int32Array;
  readonly derivatives: Int32Array;
}

/**
 * y' = f(t, y, u), 0 = g(t, y, u): what `rhs` solves for u inside of every call, an implicit method solves for together with y. A point is y and
 * behind it u, values are those of f and behind them g.
 */
export interface CoupledSystem {
  /** The number of unknowns u, as many as there are equations g. */
  readonly m: number;
  /** Whether `rhs` has to iterate for u: then it costs a multiple of `evaluate`. */
  readonly iterated: boolean;
  /** Writes the values at a point; false where they cannot be computed there. */
  evaluate(t: number, point: Float64Array, values: Float64Array): boolean;
  /** The Jacobian of (f, g) by (y, u), at a point. */
  readonly jacobian: OdeJacobian;
  /** Writes the u that the last call of `rhs` found behind the y of a point. */
  read(point: Float64Array): void;
  /** Takes the u of a point as what the next call of `rhs` begins from. */
  write(point: Float64Array): void;
  /** Sizes of u. They say when an iteration has converged; errors are those of y. */
  readonly nominal: Float64Array;
}

export interface OdeJacobian {
  readonly pattern: SparsePattern;
  /** Asked before `evaluate`: `pattern` may be another object after it. False where it cannot be evaluated. */
  prepare?(t: number, y: Float64Array): boolean;
  /** Writes the nonzeros in the order of the pattern; false where it cannot be evaluated. */
  evaluate(t: number, y: Float64Array, values: Float64Array): boolean;
  /** What it has learned, as numbers and arrays of them; see `Integrator.state`. */
  state?(): unknown;
  resume?(state: unknown): void;
}

export interface Tolerances {
  readonly relative: number;
  /** One number, or one for each component. */
  readonly absolute: number | Float64Array;
}

export interface IntegratorOptions extends Tolerances {
  readonly maxStep?: number;
  readonly initialStep?: number;
  /** Whether the automatic choice begins with the method for stiff systems. */
  readonly stiff?: boolean;
}

/** Why a step ended. */
export type StepOutcome =
  /** A step was accepted; `t` advanced. */
  | { readonly kind: 'step' }
  /** `t` reached the limit exactly. */
  | { readonly kind: 'limit' }
  /** No step can be taken. */
  | {
      readonly kind: 'failed';
      readonly reason: 'step-too-small' | 'not-finite' | 'singular';
      /** The component with the largest error, for messages. */
      readonly component: number;
    };

export interface SolverStatistics {
  steps: number;
  rejected: number;
  evaluations: number;
  jacobians: number;
  factorisations: number;
  newtonIterations: number;
}

/** The integrators that can be chosen. */
export const methods = ['auto', 'bdf', 'radau', 'rk'] as const;

export type Method = (typeof methods)[number];

export interface Integrator {
  readonly name: string;
  /** The method at work. */
  readonly method: Exclude<Method, 'auto'>;
  /** End of the last step. */
  readonly t: number;
  /** Values at `t`. Owned by the integrator. */
  readonly y: Float64Array;
  /** Start of the last step: `interpolate` is valid on [tPrevious, t]. */
  readonly tPrevious: number;
  readonly order: number;
  readonly stepSize: number;
  readonly statistics: SolverStatistics;
  /** Starts (again) at a point; keeps memory, forgets history. */
  start(t: number, y: Float64Array): void;
  /** Before a start: what was integrated before was stiff. */
  presumeStiff?(): void;
  /** Between steps: the next one is stiff, in quantities that are below the tolerance. */
  expectStiff?(): void;
  /** One step, never beyond `limit`. */
  step(limit: number): StepOutcome;
  /**
   * Up to so many steps at once, as `step` would take them, with rows at times before the limit: those at times up to `t` that are not written then could not be, or there was no room. Undefined
   * where something was thrown in the last of them, which was not taken. For systems whose right-hand side is `direct`.
   */
  run?(rows: KernelRows, limit: number, most: number): StepOutcome | undefined;
  /** Values at a time inside the last step. */
  interpolate(t: number, out: Float64Array): void;
  /** Writes unknowns of a coupled system at such a time, for its next right-hand side to begin from; true where they are as good as the states are. */
  guess?(t: number): boolean;
  /** Whether unknowns of a coupled system have ended far from where the last step expected them; undefined where there are none. */
  readonly strayed?: boolean | undefined;
  /** An oscillation that the steps have made grow beyond what estimates of errors show; where the method was chosen by hand. */
  readonly growing?: Growing | undefined;
  /** All that values and steps to come depend on, besides the system, the options and the calls to come. */
  state(): IntegratorState;
  /**
   * Goes on where `state` was taken from an integrator of the same kind, for the same system and options: all that follows has the same bits.
   * `y` is another array afterwards.
   */
  resume(state: IntegratorState): void;
}

export interface Growing {
  readonly frequency: number;
  /** The state that moves most in it. */
  readonly component: number;
}

/** The state of an integrator. It holds numbers and arrays of them alone, so that it can be kept and sent. */
export interface IntegratorState {
  /** That of the integrator. */
  readonly name: string;
  t: number;
  readonly y: Float64Array;
}

/** A copy of a state, for an integrator to go on from. */
export function takenFrom<S extends IntegratorState>(state: S, { name, y }: Integrator): S {
  if (state.name !== name || state.y.length !== y.length)
    throw new Error(`${name} for ${y.length} states cannot go on from ${state.name} for ${state.y.length}.`);
  return structuredClone(state);
}

export const STEP: StepOutcome = { kind: 'step' };
export const LIMIT: StepOutcome = { kind: 'limit' };

export function newStatistics(): SolverStatistics {
  return { steps: 0, rejected: 0, evaluations: 0, jacobians: 0, factorisations: 0, newtonIterations: 0 };
}

/** A step below this no longer changes time reliably. */
export function smallestStep(t: number): number {
  return Math.max(16 * Number.EPSILON * Math.abs(t), Number.MIN_VALUE / Number.EPSILON);
}

/** A planned step is stretched by up to this part of it rather than leaving a tiny one before the limit. */
const STRETCH = 0.02;

/**
 * The step to take when `planned` is wished and time ends at `limit`: never beyond it, stretched a little to
 * hit it, and, with `split`, halved where two equal steps are better than one full and one tiny one.
 */
export function stepToLimit(t: number, planned: number, limit: number, split: boolean): number {
  const rest = limit - t;
  if (planned * (1 + STRETCH) >= rest) return rest;
  return split && planned * 2 > rest ? 0.5 * rest : planned;
}
