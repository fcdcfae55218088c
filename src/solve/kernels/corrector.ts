/**
 * The corrector of BDF: a modified Newton iteration for the correction of a step, with a matrix that is kept as long as it converges. When the Jacobian is evaluated, when the
 * matrix is factored, and when an iteration has converged is decided as in VODE and CVODE (see `src/solve/bdf.ts`).
 */
import { Bdf } from './bdf';
import { evaluated } from './matrix';
import { norm } from './norm';
import { NOT_FINITE, SINGULAR, TOO_SMALL } from './system';
import { clear, copy, get, set } from './vector';

/** Newton: at most so many iterations, converged at this part of the error tolerance, diverging above this rate. */
const NEWTON_ITERATIONS = 3;
const NEWTON_SHARE = 0.1;
const NEWTON_DIVERGENCE: f64 = 2;
/** An old convergence rate fades by this factor. */
const RATE_MEMORY = 0.3;
/**
 * Where a step is stiff in quantities that are below the tolerance, their corrections are none for it, whether or not they would bring these anywhere; so it goes on until corrections
 * are smaller by this factor, or no smaller any more.
 */
const STRICT_SHARE = 1e-6;
const STRICT_ITERATIONS = 10;

/**
 * The iteration matrix is renewed after so many steps, or when gamma has changed by this part (CVODE: 0.3;
 * see `GROW_LEAST`).
 */
const STEPS_PER_FACTOR: f64 = 20;
const GAMMA_CHANGE = 0.1;
/**
 * The Jacobian is renewed after so many steps; if Newton fails with a smaller change of gamma, the Jacobian
 * is to blame.
 */
const STEPS_PER_JACOBIAN: f64 = 50;
const GAMMA_BLAMELESS = 0.2;

/** Why there is no correction: not finite, singular, or this. */
export const NONE = 0;
export const DIVERGED = TOO_SMALL;

/**
 * Solves for the correction at time `end` by modified Newton, with a renewed matrix where that is due or
 * the old one fails.
 */
export function correct(bdf: Bdf, end: f64): i32 {
  const gamma = bdf.history.h / bdf.history.l1;
  const ratio = bdf.jacobianKnown ? gamma / bdf.gammaFactored : Infinity;
  const hard = bdf.suspect !== 0 || bdf.strict !== 0;
  const stale = !bdf.jacobianKnown || hard || bdf.count > bdf.countJacobian + STEPS_PER_JACOBIAN;
  let renewed = false;
  if (hard || abs(ratio - 1) > GAMMA_CHANGE || bdf.count >= bdf.countFactored + STEPS_PER_FACTOR) {
    const trouble = renew(bdf, end, gamma, stale);
    if (trouble !== NONE) return trouble;
    renewed = stale || bdf.countJacobian === bdf.count;
  }
  const trouble = iterate(bdf, end, gamma);
  if (trouble !== DIVERGED || renewed) return trouble;
  // The old matrix is to blame first: a new one, with a new Jacobian unless only gamma was off.
  const jacobianToBlame = bdf.count > bdf.countJacobian && abs(ratio - 1) < GAMMA_BLAMELESS;
  const again = renew(bdf, end, gamma, jacobianToBlame || bdf.gammaFactored === gamma);
  return again === NONE ? iterate(bdf, end, gamma) : again;
}

/** Factors the iteration matrix for `gamma`, with a new Jacobian at the predicted values where `evaluate`. */
function renew(bdf: Bdf, end: f64, gamma: f64, evaluate: bool): i32 {
  const system = bdf.system;
  if (evaluate) {
    system.jacobians++;
    bdf.jacobianKnown = 0;
    const matrix = evaluated(end, bdf.y);
    if (!matrix) return NOT_FINITE;
    bdf.matrix = matrix;
    bdf.countJacobian = bdf.count;
    bdf.suspect = 0;
  }
  system.factorisations++;
  if (!bdf.matrix!.factor(gamma)) {
    bdf.jacobianKnown = 0;
    return SINGULAR;
  }
  bdf.jacobianKnown = 1;
  bdf.gammaFactored = gamma;
  bdf.countFactored = bdf.count;
  bdf.rate = 1;
  return NONE;
}

function iterate(bdf: Bdf, end: f64, gamma: f64): i32 {
  const system = bdf.system;
  const history = bdf.history;
  const trial = bdf.trial;
  const slope = bdf.evaluated;
  const residual = bdf.residual;
  const correction = bdf.correction;
  const n = system.n;
  const length = system.length;
  const z1 = history.row(1);
  const share = 1 / history.l1;
  const goal = NEWTON_SHARE / history.errorFactor;
  const strictGoal = bdf.strict ? STRICT_SHARE * goal : Infinity;
  // The matrix belongs to another gamma: the best constant factor for that (VODE, section 3.2).
  const relaxation = gamma === bdf.gammaFactored ? 1 : 2 / (1 + gamma / bdf.gammaFactored);
  let before: f64 = 0;
  let converged = false;
  copy(trial, history.row(0), length);
  clear(correction, length);
  for (let m = 1; m <= (converged ? STRICT_ITERATIONS : NEWTON_ITERATIONS); m++) {
    const isComputed = bdf.coupled
      ? system.evaluateCoupled(end, trial, slope)
      : system.evaluate(end, trial, slope);
    if (!isComputed) return NOT_FINITE;
    for (let i = 0; i < n; i++)
      set(residual, i, gamma * get(slope, i) - share * get(z1, i) - get(correction, i));
    for (let i = n; i < length; i++) set(residual, i, -get(slope, i));
    bdf.matrix!.solve(residual);
    system.newtonIterations++;
    const change = update(bdf, relaxation);
    if (!(change < Infinity)) return NOT_FINITE;
    if (m > 1) bdf.rate = max(RATE_MEMORY * bdf.rate, change / before);
    if (change * min(1, bdf.rate) <= goal) converged = true;
    if (converged && (change <= strictGoal || (m > 1 && change >= before))) return NONE;
    if (m > 1 && change > NEWTON_DIVERGENCE * before) return DIVERGED;
    before = change;
  }
  return converged ? NONE : DIVERGED;
}

/**
 * Adds the solution of the linear system to the correction; returns the norm of the change, the larger one of y and u, and keeps that
 * of the whole of y.
 */
function update(bdf: Bdf, relaxation: f64): f64 {
  const n = bdf.system.n;
  const length = bdf.system.length;
  const ofStates = move(bdf, relaxation, 0, n);
  bdf.norm = norm(bdf.system, bdf.correction);
  return length === n ? ofStates : max(ofStates, move(bdf, relaxation, n, length));
}

/** Moves the components from one to another; the norm of their change. */
function move(bdf: Bdf, relaxation: f64, from: i32, to: i32): f64 {
  const z0 = bdf.history.row(0);
  const w = bdf.system.weights;
  const correction = bdf.correction;
  const residual = bdf.residual;
  const trial = bdf.trial;
  let changes: f64 = 0;
  for (let i = from; i < to; i++) {
    const change = relaxation * get(residual, i);
    const whole = get(correction, i) + change;
    set(correction, i, whole);
    set(trial, i, get(z0, i) + whole);
    const a = change * get(w, i);
    changes += a * a;
  }
  return to === from ? 0 : sqrt(changes / <f64>(to - from));
}
