/** The state of Radau: what the next steps begin from. */
import type { IntegratorState } from './integrator.ts';
import type { MatrixState } from './jacobian.ts';

export interface RadauState extends OwnRadauState, IntegratorState {
  readonly name: 'radau';
  readonly polynomial: {
    readonly first: Float64Array;
    readonly second: Float64Array;
    readonly third: Float64Array;
  };
  readonly matrix: MatrixState;
  /** The order of elimination of the complex matrix. */
  readonly pivots: Int32Array | undefined;
}

/** The state without that of the parts which have one of their own. */
export interface OwnRadauState {
  readonly name: 'radau';
  t: number;
  readonly y: Float64Array;
  tPrevious: number;
  stepSize: number;
  /** f at `t`. */
  readonly slope: Float64Array;
  /** The same by the stages of the last step: what stiff components add to f through the smallest of errors is not in it. */
  readonly smoothSlope: Float64Array;
  /** By how much the polynomial of the last step, over all of it, begins less steeply than the solution. */
  readonly excess: Float64Array;
  slopeKnown: boolean;
  /** Whether there is a step before, whose stages predict those of the next. */
  hasPast: boolean;
  /** Proposal for the next step, 0 where none is known. */
  next: number;
  /** Length and error of the last accepted step. */
  acceptedStep: number;
  acceptedError: number;
  /** Newton's last error is this multiple of its last change. */
  tail: number;
  /** Whether the Jacobian of an earlier step still serves. */
  jacobianKnown: boolean;
  /** The step for which the matrices were factored last, and whether that still holds. */
  factored: number;
  isFactored: boolean;
}

/** Before the first start, which sets most of it. */
export function newRadauState(n: number): OwnRadauState {
  return {
    name: 'radau',
    t: 0,
    y: new Float64Array(n),
    tPrevious: 0,
    stepSize: 0,
    slope: new Float64Array(n),
    smoothSlope: new Float64Array(n),
    excess: new Float64Array(n),
    slopeKnown: false,
    hasPast: false,
    next: 0,
    acceptedStep: 0,
    acceptedError: 1,
    tail: 1,
    jacobianKnown: false,
    factored: 0,
    isFactored: false,
  };
}
