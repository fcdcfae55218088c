/**
 * Steps of variable-order, variable-step BDF, which `src/solve/bdf.ts` describes. What the next steps begin from lies in two pieces: from `t` on, numbers (truth values are 0 or 1) and behind
 * them vectors; and the history.
 */
import { correct, DIVERGED, NONE } from './corrector';
import { pulse, readUnknowns, writeUnknowns } from './host';
import { pow } from './math';
import { Matrix, normOf } from './matrix';
import { MAX_ORDER, Nordsieck } from './nordsieck';
import { initialStep, norm, noteWorst, updateWeights } from './norm';
import { Rows } from './rows';
import { LIMIT, NOT_FINITE, STEP, System, smallestStep, stepToLimit, TOO_SMALL } from './system';
import { clear, copy, get, part, set, Vector } from './vector';

/**
 * Safety factors of the step for the same, a lower and a higher order (the higher one must be worth its
 * while). CVODE has 6, 6 and 10, lets a step grow from a factor of 1.5 on and keeps the matrix until gamma
 * has changed by 0.3. On the bank of problems the values here need as many evaluations and a third more
 * factorisations for half the error.
 */
const BIAS_SAME: f64 = 10;
const BIAS_BELOW: f64 = 10;
const BIAS_ABOVE: f64 = 15;
const ADDITION = 1e-6;
/** A step grows only if it can grow by this factor, and at most by the others: at the first step, and later. */
const GROW_LEAST = 1.2;
const GROW_FIRST: f64 = 1e4;
const GROW_MOST: f64 = 10;
/**
 * After a failed error test the step shrinks by at least, at most, and from the second failure on by these
 * factors.
 */
const SHRINK_LEAST = 0.9;
const SHRINK_MOST = 0.1;
const SHRINK_AGAIN = 0.2;
/** After so many failed error tests the history is not trusted: order one. */
const FAILURES_TO_RESTART = 3;
/** Step reduction when Newton fails. */
const RETREAT = 0.25;
/** Part of the first step over which the second derivatives are taken. */
const BEND_SHARE = 0.0009765625;
/**
 * Where steps are accurate, corrections change slowly. A correction takes back the one before where the cosine between them is below the first number, and the error at least the
 * second part of the tolerance. Where four of five do, in so many steps and that so many times in a row, what is seen is not the solution: an iteration that ends when it has converged well enough leaves something behind, and where f is far steeper at zero
 * than at this distance from it, as flow is by pressure, steps throw that to and fro, and cannot grow.
 */
const OPPOSITE = -0.5;
const LEAST_ERROR = 0.01;
const STEPS_TO_WATCH: f64 = 40;
/** Part of the tolerance that the first step aims at. */
const FIRST_TARGET = 0.1;

/** Vectors of the state, and of scratch memory. */
const STATE_VECTORS = 5;
const VECTORS = 9;

@unmanaged
export class Bdf {
  system: System;
  history: Nordsieck;
  /** That of the last Jacobian. */
  matrix: Matrix | null;
  /** Whether there are unknowns of algebraic equations. */
  coupled: i32;
  /** Whether the history stands where an attempted step ends. */
  predicted: i32;
  /** Steps in a row that were easy; the host knows what that means, and keeps it. */
  easySteps: i32;
  /** Norm of the last correction. */
  norm: f64;

  t: f64;
  tPrevious: f64;
  stepSize: f64;
  /** See `correctionBefore`, and `Nordsieck.correctionScale`. */
  scaleBefore: f64;
  /** Steps since corrections are watched, and those of them whose correction takes back that of the step before. */
  watched: f64;
  turned: f64;
  /** How many times in a row that was the rule. */
  wavering: f64;
  started: f64;
  hint: f64;
  /** Steps since the start. */
  count: f64;
  /** Steps until the order is reconsidered. */
  wait: f64;
  growMost: f64;
  /** Planned change of step and order, applied at the beginning of the next step. */
  ratio: f64;
  nextOrder: f64;
  cut: f64;
  rate: f64;
  gammaFactored: f64;
  countFactored: f64;
  countJacobian: f64;
  jacobianKnown: f64;
  /** Newton has just failed, so the next attempt evaluates the Jacobian at its own prediction. */
  suspect: f64;
  /** The next step is stiff in quantities that are below the tolerance: what is left of corrections there is not seen by it. */
  strict: f64;

  vector(k: i32): Vector {
    return part(changetype<usize>(this) + offsetof<Bdf>(), this.system.length, k);
  }

  /** Of the last step. */
  get correction(): Vector {
    return this.vector(0);
  }

  /** Correction of the step before the last decision on the order. */
  get correctionBefore(): Vector {
    return this.vector(1);
  }

  /** Of the states, in the step before the last. */
  get correctionLast(): Vector {
    return this.vector(2);
  }

  /** Values and slopes at the start. */
  get firstY(): Vector {
    return this.vector(3);
  }

  get firstSlope(): Vector {
    return this.vector(4);
  }

  get trial(): Vector {
    return this.vector(5);
  }

  get slope(): Vector {
    return this.vector(6);
  }

  get residual(): Vector {
    return this.vector(7);
  }

  /** What the corrector evaluated last. */
  get evaluated(): Vector {
    return this.vector(8);
  }

  get y(): Vector {
    return this.history.row(0);
  }

  fail(reason: i32, error: Vector): i32 {
    noteWorst(this.system, error);
    return reason;
  }

  step(limit: f64): i32 {
    const system = this.system;
    const history = this.history;
    if (this.t >= limit) return LIMIT;
    updateWeights(system, this.y);
    if (!this.started && !this.begin(limit)) return this.fail(NOT_FINITE, this.slope);
    this.applyPlan(limit);
    let failures = 0;
    while (true) {
      pulse();
      const h = history.h;
      const end = h >= limit - this.t ? limit : this.t + h;
      history.setCoefficients(this.wait === 1);
      history.predict();
      this.predicted = 1;
      const trouble = correct(this, end);
      if (trouble === NONE) {
        const error = this.norm * history.errorFactor;
        if (error <= 1) {
          this.accept(end, error);
          return end === limit ? LIMIT : STEP;
        }
        failures++;
        this.retreat();
        if (h <= smallestStep(this.t)) return this.fail(TOO_SMALL, this.correction);
        this.shrink(error, failures);
      } else {
        this.retreat();
        if (h <= smallestStep(this.t))
          return trouble === NOT_FINITE
            ? this.fail(NOT_FINITE, this.evaluated)
            : this.fail(trouble === DIVERGED ? TOO_SMALL : trouble, this.correction);
        this.growMost = 1;
        this.suspect = 1;
        this.change(RETREAT);
      }
      system.rejected++;
    }
  }

  retreat(): void {
    if (this.predicted) this.history.retreat();
    this.predicted = 0;
  }

  /** Evaluates the slope and chooses the first step. */
  begin(limit: f64): bool {
    const system = this.system;
    const history = this.history;
    const n = system.n;
    const rest = system.length - n;
    const t = this.t;
    const y = this.y;
    const slope = this.slope;
    if (!system.evaluate(t, y, slope)) return false;
    clear(part(slope, n, 1), rest);
    if (this.coupled) {
      readUnknowns(y);
      updateWeights(system, y);
    }
    const interval = min(limit - t, system.maxStep);
    const h =
      this.hint > 0
        ? this.hint
        : initialStep(system, t, y, slope, interval, this.trial, this.residual, 1, FIRST_TARGET);
    history.start(slope, min(h, interval));
    copy(this.firstY, y, n);
    copy(this.firstSlope, slope, n);
    this.bend();
    this.started = 1;
    this.count = 0;
    this.wait = history.order + 1;
    this.growMost = GROW_FIRST;
    this.ratio = 1;
    this.nextOrder = history.order;
    this.cut = 0;
    this.rate = 1;
    this.jacobianKnown = 0;
    this.suspect = 0;
    clear(this.correctionLast, n);
    this.watched = 0;
    this.turned = 0;
    this.wavering = 0;
    return true;
  }

  /**
   * Begins with order two, by the change of the slope at the start. An error of order one would be as large as what a state has moved away from the boundary
   * that it has just left, as at the peak of a voltage that a diode followed; and where events are many, such errors add up. The change is taken over a small part of the
   * first step: over all of it, prediction and correction would agree whatever lies between.
   */
  bend(): void {
    const system = this.system;
    const history = this.history;
    const n = system.n;
    const t = this.t;
    const y = this.y;
    const slope = this.slope;
    const trial = this.trial;
    const probe = this.residual;
    const h = history.h;
    const share = max(BEND_SHARE * h, smallestStep(t));
    if (share >= h) return;
    for (let i = 0; i < n; i++) set(trial, i, get(y, i) + share * get(slope, i));
    if (!system.evaluate(t + share, trial, probe)) return;
    let finite = true;
    for (let i = 0; i < n; i++) {
      const bent = (0.5 * h * h * (get(probe, i) - get(slope, i))) / share;
      if (!Number.isFinite(bent)) finite = false;
      set(probe, i, bent);
    }
    clear(part(probe, n, 1), system.length - n);
    if (finite) history.bend(probe);
    if (this.coupled) this.lean(h / share);
  }

  /** The slope of u from its change over a `ratio`-th of the first step, at the end of which the right-hand side was evaluated last. */
  lean(ratio: f64): void {
    const z0 = this.history.row(0);
    const z1 = this.history.row(1);
    const trial = this.trial;
    readUnknowns(trial);
    for (let i = this.system.n; i < this.system.length; i++) set(z1, i, ratio * (get(trial, i) - get(z0, i)));
  }

  /**
   * Brings the history to the order and step that were planned after the last step, and keeps within limit
   * and largest step.
   */
  applyPlan(limit: f64): void {
    const history = this.history;
    if (this.nextOrder > history.order) history.raise(this.correction);
    else if (this.nextOrder < history.order) history.lower();
    const wish = max(this.cut, history.h * this.ratio);
    const planned = min(min(wish, history.h * this.growMost), this.system.maxStep);
    const h = stepToLimit(this.t, planned, limit, false);
    // A step cut short by the limit is taken up again at its planned length.
    this.cut = h < planned ? planned : 0;
    if (h !== history.h) {
      history.rescale(h / history.h);
      history.h = h;
    }
    this.ratio = 1;
  }

  accept(end: f64, error: f64): void {
    const history = this.history;
    this.system.steps++;
    this.count++;
    this.tPrevious = this.t;
    this.t = end;
    this.stepSize = history.h;
    this.strict = 0;
    this.watch(error);
    history.correct(this.correction);
    this.predicted = 0;
    this.wait--;
    if (this.wait === 1 && history.order < MAX_ORDER) {
      copy(this.correctionBefore, this.correction, this.system.length);
      this.scaleBefore = history.correctionScale;
    }
    this.plan(error);
    this.growMost = GROW_MOST;
  }

  watch(error: f64): void {
    const w = this.system.weights;
    const correction = this.correction;
    const last = this.correctionLast;
    let product: f64 = 0;
    let own: f64 = 0;
    let other: f64 = 0;
    for (let i = 0; i < this.system.n; i++) {
      const a = get(correction, i) * get(w, i);
      const b = get(last, i) * get(w, i);
      product += a * b;
      own += a * a;
      other += b * b;
      set(last, i, get(correction, i));
    }
    if (error > LEAST_ERROR && product < OPPOSITE * sqrt(own * other)) this.turned++;
    if (++this.watched < STEPS_TO_WATCH) return;
    this.wavering = 5 * this.turned >= 4 * STEPS_TO_WATCH ? this.wavering + 1 : 0;
    this.watched = 0;
    this.turned = 0;
  }

  /** Order and step of the next step. */
  plan(error: f64): void {
    const q = this.history.order;
    this.ratio = 1;
    this.nextOrder = q;
    if (this.growMost === 1) {
      this.wait = max(this.wait, 2);
      return;
    }
    let best = growth(BIAS_SAME * error, q + 1);
    if (this.wait === 0) {
      this.wait = 2;
      const below = q > 1 ? growth(BIAS_BELOW * this.errorBelow(), q) : 0;
      const above = q < MAX_ORDER ? growth(BIAS_ABOVE * this.errorAbove(), q + 2) : 0;
      const largest = max(max(best, below), above);
      if (largest >= GROW_LEAST) {
        if (largest !== best) {
          this.nextOrder = largest === below ? q - 1 : q + 1;
          this.wait = this.nextOrder + 1;
        }
        best = largest;
      }
    }
    if (best >= GROW_LEAST) this.ratio = min(best, this.growMost);
  }

  errorBelow(): f64 {
    const history = this.history;
    return norm(this.system, history.row(history.order)) * history.errorFactorBelow;
  }

  errorAbove(): f64 {
    const history = this.history;
    const residual = this.residual;
    if (this.scaleBefore === 0) return Infinity;
    const factor = (history.correctionScale / this.scaleBefore) * pow(history.stepRatio(), history.order + 1);
    for (let i = 0; i < this.system.n; i++)
      set(residual, i, get(this.correction, i) - factor * get(this.correctionBefore, i));
    return norm(this.system, residual) * history.errorFactorAbove;
  }

  /** After a failed error test: a smaller step, and order one when the past seems worthless. */
  shrink(error: f64, failures: i32): void {
    const history = this.history;
    this.growMost = 1;
    if (failures < FAILURES_TO_RESTART) {
      const wish = growth(BIAS_SAME * error, history.order + 1);
      this.change(max(SHRINK_MOST, min(failures > 1 ? SHRINK_AGAIN : SHRINK_LEAST, wish)));
      return;
    }
    if (history.order > 1) {
      history.lower();
      this.nextOrder = history.order;
      this.wait = history.order + 1;
      this.change(SHRINK_MOST);
      return;
    }
    // At order one only the slope is left to be wrong.
    this.change(SHRINK_MOST);
    this.wait = 10;
    if (this.system.evaluate(this.t, this.y, this.slope)) {
      const z1 = history.row(1);
      for (let i = 0; i < this.system.n; i++) set(z1, i, history.h * get(this.slope, i));
    }
  }

  /** Changes the step of the present attempt. */
  change(ratio: f64): void {
    const history = this.history;
    history.rescale(max(ratio, smallestStep(this.t) / history.h));
    this.cut = 0;
  }

  interpolate(t: f64, out: Vector): void {
    const h = this.history.h;
    if (!this.started || h === 0) copy(out, this.y, this.system.n);
    else if (this.count === 1) this.interpolateFirst(t, out);
    else this.history.evaluate((t - this.t) / h, out, this.system.n);
  }

  /**
   * The first step begins as the solution does, with its slope, and exactly: an event has just found what is zero there, and which way it goes. So the
   * parabola is the one from the start to the end of the step.
   */
  interpolateFirst(t: f64, out: Vector): void {
    const h = this.t - this.tPrevious;
    const s = t - this.tPrevious;
    for (let i = 0; i < this.system.n; i++) {
      const first = get(this.firstY, i);
      const slope = get(this.firstSlope, i);
      const bend = (get(this.y, i) - first - slope * h) / (h * h);
      set(out, i, first + s * (slope + s * bend));
    }
    if (s === h) copy(out, this.y, this.system.n);
  }
}

/** The factor by which the step may grow for a method of order `power` - 1 whose biased error is `error`. */
function growth(error: f64, power: i32): f64 {
  return 1 / (pow(error, 1 / <f64>power) + ADDITION);
}

/** What is allocated for vectors of length n. */
export function bdfBytes(n: i32): i32 {
  return <i32>offsetof<Bdf>() + 8 * VECTORS * n;
}

/** Makes one of memory that is zero. */
export function newBdf(bdf: Bdf, system: System, history: Nordsieck): void {
  bdf.system = system;
  bdf.history = history;
  bdf.coupled = system.length > system.n ? 1 : 0;
  bdf.growMost = 1;
  bdf.ratio = 1;
  bdf.nextOrder = 1;
  bdf.rate = 1;
}

/** Where the state lies, and how long it is in doubles. */
export function bdfState(bdf: Bdf): usize {
  return changetype<usize>(bdf) + offsetof<Bdf>('t');
}

export function bdfStateLength(bdf: Bdf): i32 {
  return (<i32>(offsetof<Bdf>() - offsetof<Bdf>('t')) >> 3) + STATE_VECTORS * bdf.system.length;
}

/** Begins at `t` with the values that the host has written. */
export function startBdf(bdf: Bdf, t: f64, step: f64): void {
  bdf.t = t;
  bdf.tPrevious = t;
  bdf.hint = step;
  bdf.history.order = 1;
  bdf.started = 0;
}

export function stepBdf(bdf: Bdf, limit: f64): i32 {
  return bdf.step(limit);
}

/**
 * So many steps at most, with rows at times before the limit. They end where the method may not be the right one any more: where corrections go to and fro for so long, or after
 * so many steps in a row that the explicit pair could take as well (see `easy`). Rows that could not be written are left.
 */
export function runBdf(
  bdf: Bdf,
  rows: Rows,
  limit: f64,
  steps: i32,
  wavering: f64,
  easy: f64,
  review: f64,
): i32 {
  const between = bdf.system.between;
  for (let k = 0; k < steps; k++) {
    if (k > 0) {
      if (bdf.wavering >= wavering) return STEP;
      if (bdf.jacobianKnown && bdf.stepSize * normOf(bdf.matrix!) < easy) {
        if (bdf.easySteps + 1 >= review) return STEP;
        bdf.easySteps++;
      } else bdf.easySteps = 0;
    }
    const reason = bdf.step(limit);
    if (reason > LIMIT) return reason;
    for (let t = rows.next; t <= bdf.t && t < limit; t = rows.next) {
      if (t === bdf.t) copy(between, bdf.y, bdf.system.n);
      else bdf.interpolate(t, between);
      if (rows.isFull || !rows.write(bdf.system, t)) return reason;
    }
    if (reason === LIMIT || rows.isFull) return reason;
  }
  return STEP;
}

/** Steps in a row that the explicit pair could take as well. */
export function easySteps(bdf: Bdf): i32 {
  return bdf.easySteps;
}

export function setEasySteps(bdf: Bdf, count: i32): void {
  bdf.easySteps = count;
}

/** After a step that was stopped: values are those at the end of the last one. */
export function abandonBdf(bdf: Bdf): void {
  bdf.retreat();
}

export function interpolateBdf(bdf: Bdf, t: f64): void {
  bdf.interpolate(t, bdf.system.between);
}

/** Gives the host the unknowns at a time in the last step; in the first step they lie on a straight line, states do not. */
export function guessBdf(bdf: Bdf, t: f64): bool {
  if (!bdf.coupled || !bdf.started || bdf.history.h === 0) return false;
  bdf.history.evaluate((t - bdf.t) / bdf.history.h, bdf.trial, bdf.system.length);
  writeUnknowns(bdf.trial);
  return bdf.count > 1;
}

export function expectStiff(bdf: Bdf): void {
  bdf.strict = 1;
}

export function setMatrix(bdf: Bdf, matrix: Matrix | null): void {
  bdf.matrix = matrix;
}
