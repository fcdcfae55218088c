/**
 * Steps of the explicit pair of orders five and four, which `src/solve/rk.ts` describes. What the next steps begin from lies in one piece, from `t` on: numbers (truth values are 0
 * or 1) and behind them vectors.
 */
import { pulse } from './host';
import { exp, log, pow } from './math';
import { initialStep, noteWorst, updateWeights } from './norm';
import { Rows } from './rows';
import { LIMIT, NOT_FINITE, STEP, System, smallestStep, stepToLimit, TOO_SMALL } from './system';
import {
  A21,
  A31,
  A32,
  A41,
  A42,
  A43,
  A51,
  A52,
  A53,
  A54,
  A61,
  A62,
  A63,
  A64,
  A65,
  B1,
  B2,
  B3,
  B4,
  B5,
  B6,
  C2,
  C3,
  C4,
  C5,
  E1,
  E2,
  E3,
  E4,
  E5,
  E6,
  E7,
} from './tsitouras';
import { copy, get, part, set, Vector } from './vector';

/** Constants of the PI controller, Hairer, Norsett, Wanner I, program DOPRI5. */
const PI_BETA = 0.04;
const PI_ALPHA = 0.2 - 0.75 * PI_BETA;
const SAFETY = 0.9;
const SHRINK_MOST = 0.2;
const GROW_MOST: f64 = 10;
/** Errors below this are taken for this, so that one lucky step does not rule the next. */
const ERROR_FLOOR = 1e-4;
/** Step reduction where the right-hand side cannot be evaluated. */
const RETREAT = 0.25;
/** Part of the tolerance that the first step aims at. */
const FIRST_TARGET = 0.01;

/**
 * Extent of the stability region on the negative real axis is 3.5; above this part of it stability rules the
 * step.
 */
const STABILITY_BOUND = 2.9;
/** Of a single component, above this it is chance: its stages hardly differ. */
const OWN_MOST = 4.5;
/**
 * A step that leads less than this part of the way which slopes at both its ends agree on leads elsewhere in between. Methods of this kind have fixed points and
 * cycles of their own beyond the bound of stability (A. Iserles, Stability and dynamics of numerical methods for nonlinear ordinary differential equations, IMA J. Numer. Anal. 10,
 * 1990), where f is anything but zero, and the last two stages may lie where it is flat.
 */
const LEAST_WAY = 0.5;
/** So many steps at the bound of stability mean that the problem is stiff ... */
const STIFF_STEPS: f64 = 15;
/** ... unless so many steps in a row are clear of it. */
const CLEAR_STEPS: f64 = 6;

/** Vectors of the state. */
const VECTORS = 12;

@unmanaged
export class Pair {
  system: System;
  /** h times an estimate of the largest eigenvalue, from the last two stages, which belong to the same time. */
  stiffness: f64;
  /** The same of the component with the largest error alone: others may differ by much more between these stages, without ruling the step. */
  ownStiffness: f64;
  /** Whether the last step does not lead where the slopes at both its ends do. */
  astray: bool;

  t: f64;
  tPrevious: f64;
  stepSize: f64;
  slopeKnown: f64;
  /** Proposal for the next step, 0 where none is known. */
  next: f64;
  /** Logarithm of the error of the last step. */
  errorBefore: f64;
  /** Whether stability rather than accuracy has ruled the step size for a while. */
  stiff: f64;
  stiffSteps: f64;
  clearSteps: f64;

  get vectors(): Vector {
    return changetype<usize>(this) + offsetof<Pair>();
  }

  vector(k: i32): Vector {
    return part(this.vectors, this.system.n, k);
  }

  get y(): Vector {
    return this.vector(0);
  }

  get yPrevious(): Vector {
    return this.vector(1);
  }

  /** f at the beginning of the last step, its first stage ... */
  get k1(): Vector {
    return this.vector(2);
  }

  /** ... and at its end, the first stage of the next. */
  get slope(): Vector {
    return this.vector(3);
  }

  /** Stages 2 to 6 of the last attempt. */
  get stages(): Vector {
    return this.vector(4);
  }

  /** f at the end of the attempted step. */
  get fresh(): Vector {
    return this.vector(9);
  }

  get error(): Vector {
    return this.vector(10);
  }

  get trial(): Vector {
    return this.vector(11);
  }

  fail(reason: i32, error: Vector): i32 {
    noteWorst(this.system, error);
    return reason;
  }

  step(limit: f64): i32 {
    const system = this.system;
    if (this.t >= limit) return LIMIT;
    if (!this.slopeKnown) {
      if (!system.evaluate(this.t, this.y, this.slope)) return this.fail(NOT_FINITE, this.slope);
      this.slopeKnown = 1;
    }
    updateWeights(system, this.y);
    if (!(this.next > 0)) this.next = this.firstStep(limit);
    let proposal = min(this.next, system.maxStep);
    let rejected = false;
    while (true) {
      pulse();
      const h = stepToLimit(this.t, proposal, limit, true);
      const size = this.attempt(h);
      if (size <= 1) {
        this.accept(h, size, proposal, limit, rejected);
        return this.t === limit ? LIMIT : STEP;
      }
      rejected = true;
      system.rejected++;
      const finite = size < Infinity;
      proposal = h * (finite ? max(SHRINK_MOST, SAFETY * pow(size, -PI_ALPHA)) : RETREAT);
      if (proposal < smallestStep(this.t))
        return finite ? this.fail(TOO_SMALL, this.error) : this.fail(NOT_FINITE, this.fresh);
    }
  }

  firstStep(limit: f64): f64 {
    const interval = min(limit - this.t, this.system.maxStep);
    return initialStep(
      this.system,
      this.t,
      this.y,
      this.slope,
      interval,
      this.trial,
      this.fresh,
      4,
      FIRST_TARGET,
    );
  }

  /**
   * Computes the stages, the new values in `trial` and their slope in `fresh`; returns the norm of the error,
   * infinite where f failed.
   */
  attempt(h: f64): f64 {
    return this.evaluateStages(h) ? this.measure(h) : Infinity;
  }

  evaluateStages(h: f64): bool {
    const system = this.system;
    const n = system.n;
    const t = this.t;
    const y = this.y;
    const k1 = this.slope;
    const trial = this.trial;
    const error = this.error;
    const k2 = this.stages;
    const k3 = part(k2, n, 1);
    const k4 = part(k2, n, 2);
    const k5 = part(k2, n, 3);
    const k6 = part(k2, n, 4);
    for (let i = 0; i < n; i++) set(trial, i, get(y, i) + h * (A21 * get(k1, i)));
    if (!system.evaluate(t + C2 * h, trial, k2)) return false;
    for (let i = 0; i < n; i++) set(trial, i, get(y, i) + h * (A31 * get(k1, i) + A32 * get(k2, i)));
    if (!system.evaluate(t + C3 * h, trial, k3)) return false;
    for (let i = 0; i < n; i++)
      set(trial, i, get(y, i) + h * (A41 * get(k1, i) + A42 * get(k2, i) + A43 * get(k3, i)));
    if (!system.evaluate(t + C4 * h, trial, k4)) return false;
    for (let i = 0; i < n; i++) {
      const sum = A51 * get(k1, i) + A52 * get(k2, i) + A53 * get(k3, i) + A54 * get(k4, i);
      set(trial, i, get(y, i) + h * sum);
    }
    if (!system.evaluate(t + C5 * h, trial, k5)) return false;
    for (let i = 0; i < n; i++) {
      const sum =
        A61 * get(k1, i) + A62 * get(k2, i) + A63 * get(k3, i) + A64 * get(k4, i) + A65 * get(k5, i);
      set(error, i, get(y, i) + h * sum);
    }
    if (!system.evaluate(t + h, error, k6)) return false;
    for (let i = 0; i < n; i++) {
      const sum =
        B1 * get(k1, i) +
        B2 * get(k2, i) +
        B3 * get(k3, i) +
        B4 * get(k4, i) +
        B5 * get(k5, i) +
        B6 * get(k6, i);
      set(trial, i, get(y, i) + h * sum);
    }
    return system.evaluate(t + h, trial, this.fresh);
  }

  /**
   * The norm of the error; `error` holds the argument of stage 6 before and the estimate afterwards. Watches
   * stiffness on the way.
   */
  measure(h: f64): f64 {
    const system = this.system;
    const n = system.n;
    const w = system.weights;
    const y = this.y;
    const trial = this.trial;
    const fresh = this.fresh;
    const error = this.error;
    const k1 = this.slope;
    const k2 = this.stages;
    const k3 = part(k2, n, 1);
    const k4 = part(k2, n, 2);
    const k5 = part(k2, n, 3);
    const k6 = part(k2, n, 4);
    let sum: f64 = 0;
    let slopes: f64 = 0;
    let values: f64 = 0;
    let worst: f64 = 0;
    let own: f64 = 0;
    let astray = false;
    for (let i = 0; i < n; i++) {
      const first = get(k1, i);
      const last = get(fresh, i);
      const way = first * last > 0 ? h * min(abs(first), abs(last)) : 0;
      const scale = get(w, i);
      const value = get(trial, i);
      // What is below the tolerance says nothing.
      if (way * scale > 1 && (value - get(y, i)) * sign(first) < LEAST_WAY * way) astray = true;
      // Largest ones: the squares of what is tiny would be zero, and nothing be stiff.
      const change = last - get(k6, i);
      slopes = max(slopes, abs(change) * scale);
      const from6 = value - get(error, i);
      values = max(values, abs(from6) * scale);
      const e =
        h *
        (E1 * first +
          E2 * get(k2, i) +
          E3 * get(k3, i) +
          E4 * get(k4, i) +
          E5 * get(k5, i) +
          E6 * get(k6, i) +
          E7 * last);
      set(error, i, e);
      const scaled = e * scale;
      sum += scaled * scaled;
      if (!(scaled * scaled > worst)) continue;
      worst = scaled * scaled;
      own = abs((h * change) / from6);
    }
    this.astray = astray;
    this.ownStiffness = own;
    this.stiffness = values > 0 ? (h * slopes) / values : 0;
    const size = n === 0 ? 0 : sqrt(sum / n);
    return Number.isNaN(size) ? Infinity : size;
  }

  accept(h: f64, size: f64, proposal: f64, limit: f64, rejected: bool): void {
    const n = this.system.n;
    this.system.steps++;
    this.tPrevious = this.t;
    this.t = h >= limit - this.t ? limit : this.t + h;
    this.stepSize = h;
    copy(this.yPrevious, this.y, n);
    copy(this.y, this.trial, n);
    copy(this.k1, this.slope, n);
    copy(this.slope, this.fresh, n);
    const error = log(max(size, ERROR_FLOOR));
    const factor = SAFETY * exp(PI_BETA * this.errorBefore - PI_ALPHA * error);
    this.errorBefore = error;
    const wish = h * min<f64>(rejected ? 1 : GROW_MOST, max(SHRINK_MOST, factor));
    // A step cut short by the limit says nothing against the longer one that was planned.
    this.next = h < proposal ? max(wish, proposal) : wish;
    this.watchStiffness();
  }

  watchStiffness(): void {
    const isOwn = this.ownStiffness > STABILITY_BOUND && this.ownStiffness < OWN_MOST;
    if (this.stiffness > STABILITY_BOUND || isOwn || this.astray) {
      this.clearSteps = 0;
      if (++this.stiffSteps >= STIFF_STEPS) this.stiff = 1;
    } else if (this.stiffSteps > 0 && ++this.clearSteps >= CLEAR_STEPS) {
      this.forgetStiffness();
    }
  }

  forgetStiffness(): void {
    this.stiff = 0;
    this.stiffSteps = 0;
    this.clearSteps = 0;
  }

  interpolate(t: f64, out: Vector): void {
    const n = this.system.n;
    const h = this.t - this.tPrevious;
    if (h === 0) {
      copy(out, this.y, n);
      return;
    }
    const s = (t - this.tPrevious) / h;
    const s2 = s * s;
    // The weights b_i(s) of the interpolant in the factored form of the paper.
    const w1 =
      h *
      s *
      (-1.0530884977290216 * (s - 1.329989018975141) * (s2 - 1.4364028541716352 * s + 0.7139816917074209));
    const w2 = h * s2 * (0.1017 * (s2 - 2.1966568338249752 * s + 1.294985250737463));
    const w3 = h * s2 * (2.490627285651253 * (s2 - 2.3853564547206165 * s + 1.5780346820809248));
    const w4 = h * s2 * (-16.548102889244902 * (s - 1.2171292729553325) * (s - 0.6162040603780009));
    const w5 = h * s2 * (47.37952196281928 * (s - 1.2030712083723627) * (s - 0.6580472926535473));
    const w6 = h * s2 * (-34.87065786149661 * (s - 1.2) * (s - 0.6666666666666666));
    const w7 = h * s2 * (2.5 * (s - 1) * (s - 0.6));
    const y0 = this.yPrevious;
    const k1 = this.k1;
    const k7 = this.slope;
    const k2 = this.stages;
    const k3 = part(k2, n, 1);
    const k4 = part(k2, n, 2);
    const k5 = part(k2, n, 3);
    const k6 = part(k2, n, 4);
    for (let i = 0; i < n; i++)
      set(
        out,
        i,
        get(y0, i) +
          w1 * get(k1, i) +
          w2 * get(k2, i) +
          w3 * get(k3, i) +
          w4 * get(k4, i) +
          w5 * get(k5, i) +
          w6 * get(k6, i) +
          w7 * get(k7, i),
      );
  }
}

function sign(x: f64): f64 {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}

/** What is allocated for a system of n states. */
export function pairBytes(n: i32): i32 {
  return <i32>offsetof<Pair>() + 8 * VECTORS * n;
}

/** Makes one of memory that is zero. */
export function newPair(pair: Pair, system: System): void {
  pair.system = system;
  pair.errorBefore = log(ERROR_FLOOR);
}

/** Where the state lies, and how long it is in doubles. */
export function pairState(pair: Pair): usize {
  return changetype<usize>(pair) + offsetof<Pair>('t');
}

export function pairStateLength(pair: Pair): i32 {
  return (<i32>(offsetof<Pair>() - offsetof<Pair>('t')) >> 3) + VECTORS * pair.system.n;
}

export function pairY(pair: Pair): Vector {
  return pair.y;
}

/** Begins at `t` with the values that the host has written. */
export function startPair(pair: Pair, t: f64, step: f64): void {
  pair.t = t;
  pair.tPrevious = t;
  copy(pair.yPrevious, pair.y, pair.system.n);
  pair.next = step;
  pair.errorBefore = log(ERROR_FLOOR);
  pair.slopeKnown = 0;
}

export function stepPair(pair: Pair, limit: f64): i32 {
  return pair.step(limit);
}

export function interpolatePair(pair: Pair, t: f64): void {
  pair.interpolate(t, pair.system.between);
}

/**
 * So many steps at most, with rows at times before the limit. They end where the method may not be the right one any more: where the pair has become stiff, or oscillations of this
 * frequency turn by more than this angle. Rows that could not be written are left.
 */
export function runPair(pair: Pair, rows: Rows, limit: f64, steps: i32, frequency: f64, angle: f64): i32 {
  const between = pair.system.between;
  for (let k = 0; k < steps; k++) {
    if (k > 0 && (pair.stiff || frequency * pair.stepSize > angle)) return STEP;
    const reason = pair.step(limit);
    if (reason > LIMIT) return reason;
    for (let t = rows.next; t <= pair.t && t < limit; t = rows.next) {
      if (t === pair.t) copy(between, pair.y, pair.system.n);
      else pair.interpolate(t, between);
      if (rows.isFull || !rows.write(pair.system, t)) return reason;
    }
    if (reason === LIMIT || rows.isFull) return reason;
  }
  return STEP;
}

/** Begins to watch for stiffness anew. A restart does not: short stretches between events would never show it. */
export function forgetStiffness(pair: Pair): void {
  pair.forgetStiffness();
}

export function expectStiffness(pair: Pair): void {
  pair.stiff = 1;
}
