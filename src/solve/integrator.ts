/**
 * What integrators have in common. An integrator owns its state (time, values, history) and nothing else; the system is
 * an interface, so that solvers know nothing of models. The life of a run: `start`, then `step` until the
 * caller is content, `interpolate` anywhere inside the last step, `start` again after a discontinuity.
 */
import type { SparsePattern } from './sparse.ts';

/** y' = f(t, y). */
export interface OdeSystem {
  readonly n: number;
  /** Writes f(t, y) into `dy`. False where f cannot be evaluated there: the integrator then tries a smaller step. */
  rhs(t: number, y: Float64Array, dy: Float64Array): boolean;
  /** The Jacobian df/dy; without it, finite differences on `pattern` (or dense) are used. */
  readonly jacobian?: OdeJacobian;
}

export interface OdeJacobian {
  readonly pattern: SparsePattern;
  /** Writes the nonzeros in the order of the pattern; false where it cannot be evaluated. */
  evaluate(t: number, y: Float64Array, values: Float64Array): boolean;
}

export interface Tolerances {
  readonly relative: number;
  /** One number, or one for each component. */
  readonly absolute: number | Float64Array;
}

export interface IntegratorOptions extends Tolerances {
  readonly maxStep?: number;
  readonly initialStep?: number;
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

export interface Integrator {
  readonly name: string;
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
  /** One step, never beyond `limit`. */
  step(limit: number): StepOutcome;
  /** Values at a time inside the last step. */
  interpolate(t: number, out: Float64Array): void;
}
