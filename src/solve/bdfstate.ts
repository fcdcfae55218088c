/** The state of BDF: what the next steps begin from. */
import type { IntegratorState } from './integrator.ts';
import type { MatrixState } from './jacobian.ts';
import type { NordsieckState } from './nordsieck.ts';

export interface BdfState extends OwnBdfState, IntegratorState {
  readonly name: 'bdf';
  readonly history: NordsieckState;
  readonly matrix: MatrixState;
}

/** The state without that of the parts which have one of their own. */
export interface OwnBdfState {
  readonly name: 'bdf';
  t: number;
  tPrevious: number;
  stepSize: number;
  /** Of the last step. */
  readonly correction: Float64Array;
  /**
   * Correction of the step before the last decision on the order, and its scale; see
   * `Nordsieck.correctionScale`.
   */
  readonly correctionBefore: Float64Array;
  scaleBefore: number;
  /** Of the states, in the step before the last. */
  readonly correctionLast: Float64Array;
  /** Steps since corrections are watched, and those of them whose correction takes back that of the step before. */
  watched: number;
  turned: number;
  /** How many times in a row that was the rule. */
  wavering: number;
  /** Values and slopes at the start. */
  readonly first: { readonly y: Float64Array; readonly slope: Float64Array };
  started: boolean;
  hint: number;
  /** Steps since the start. */
  count: number;
  /** Steps until the order is reconsidered. */
  wait: number;
  growMost: number;
  /** Planned change of step and order, applied at the beginning of the next step. */
  ratio: number;
  nextOrder: number;
  cut: number;
  rate: number;
  gammaFactored: number;
  countFactored: number;
  countJacobian: number;
  jacobianKnown: boolean;
  /** Newton has just failed, so the next attempt evaluates the Jacobian at its own prediction. */
  suspect: boolean;
  /** The next step is stiff in quantities that are below the tolerance: what is left of corrections there is not seen by it. */
  strict: boolean;
}

/** Before the first start, which sets most of it; `length` counts the unknowns of algebraic equations too. */
export function newBdfState(n: number, length: number): OwnBdfState {
  return {
    name: 'bdf',
    t: 0,
    tPrevious: 0,
    stepSize: 0,
    correction: new Float64Array(length),
    correctionBefore: new Float64Array(length),
    scaleBefore: 0,
    correctionLast: new Float64Array(n),
    watched: 0,
    turned: 0,
    wavering: 0,
    first: { y: new Float64Array(n), slope: new Float64Array(n) },
    started: false,
    hint: 0,
    count: 0,
    wait: 0,
    growMost: 1,
    ratio: 1,
    nextOrder: 1,
    cut: 0,
    rate: 1,
    gammaFactored: 0,
    countFactored: 0,
    countJacobian: 0,
    jacobianKnown: false,
    suspect: false,
    strict: false,
  };
}
