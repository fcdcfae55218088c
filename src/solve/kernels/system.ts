/** What all integrators have in common: the system, what is tolerated, and what is counted. */
import { evaluateCoupled, rhs } from './host';
import { at, get, Integers, set, Vector } from './vector';

/** Why a step ended; see `outcomes` of `src/solve/kernel.ts`. */
export const STEP = 0;
export const LIMIT = 1;
export const TOO_SMALL = 2;
export const NOT_FINITE = 3;
export const SINGULAR = 4;

/** Vectors of a system. */
const VECTORS = 3;

/** As in all objects here, doubles come last, so that vectors can follow. */
@unmanaged
export class System {
  /** The number of states, and of them with the unknowns of algebraic equations behind them. */
  n: i32;
  length: i32;
  /** The component with the largest error where a step failed. */
  worst: i32;
  /** By component. */
  absolute: Vector;
  /** Reciprocals of the tolerated errors. */
  weights: Vector;
  /** Where in the table the functions begin that read, write and compute derivatives in the memory of the system; 0 where there are none. */
  direct: i32;
  /** Addresses there, of time, states and derivatives. */
  time: i32;
  states: Integers;
  derivatives: Integers;
  /** Where values between the ends of a step are written. */
  between: Vector;
  // What is counted, until the host takes it; see `SolverStatistics`.
  steps: f64;
  rejected: f64;
  evaluations: f64;
  jacobians: f64;
  factorisations: f64;
  newtonIterations: f64;
  relative: f64;
  maxStep: f64;

  evaluate(t: f64, y: Vector, dy: Vector): bool {
    this.evaluations++;
    return (this.direct !== 0 && this.evaluateDirectly(t, y, dy)) || rhs(t, y, dy);
  }

  /** Writes time and states into the memory of the system. */
  place(t: f64, y: Vector): void {
    const write = this.direct + 1;
    call_indirect<void>(write, this.time, t);
    for (let i = 0; i < this.n; i++) call_indirect<void>(write, at(this.states, i), get(y, i));
  }

  evaluateDirectly(t: f64, y: Vector, dy: Vector): bool {
    const n = this.n;
    const read = this.direct;
    this.place(t, y);
    call_indirect<i32>(read + 2);
    let check: f64 = 0;
    for (let i = 0; i < n; i++) {
      const value = call_indirect<f64>(read, at(this.derivatives, i));
      set(dy, i, value);
      check += value * 0;
    }
    return check === 0;
  }

  evaluateCoupled(t: f64, point: Vector, values: Vector): bool {
    this.evaluations++;
    return evaluateCoupled(t, point, values);
  }
}

/** What is allocated for it: vectors lie behind the numbers. */
export function systemBytes(length: i32): i32 {
  return <i32>offsetof<System>() + 8 * VECTORS * length;
}

/** Makes one of memory that is zero. */
export function newSystem(system: System, n: i32, length: i32, relative: f64, maxStep: f64): void {
  system.n = n;
  system.length = length;
  system.relative = relative;
  system.maxStep = maxStep;
  system.absolute = changetype<usize>(system) + offsetof<System>();
  system.weights = system.absolute + 8 * length;
  system.between = system.weights + 8 * length;
}

export function setDirect(
  system: System,
  direct: i32,
  time: i32,
  states: Integers,
  derivatives: Integers,
): void {
  system.direct = direct;
  system.time = time;
  system.states = states;
  system.derivatives = derivatives;
}

/** Where what is counted lies. */
export function countsOf(system: System): usize {
  return changetype<usize>(system) + offsetof<System>('steps');
}

export function absoluteOf(system: System): Vector {
  return system.absolute;
}

export function weightsOf(system: System): Vector {
  return system.weights;
}

export function betweenOf(system: System): Vector {
  return system.between;
}

export function worstOf(system: System): i32 {
  return system.worst;
}

/** A step below this no longer changes time reliably. */
export function smallestStep(t: f64): f64 {
  return max(16 * f64.EPSILON * abs(t), f64.MIN_NORMAL_VALUE);
}

/** A planned step is stretched by up to this part of it rather than leaving a tiny one before the limit. */
const STRETCH = 0.02;

/**
 * The step to take when `planned` is wished and time ends at `limit`: never beyond it, stretched a little to
 * hit it, and, with `split`, halved where two equal steps are better than one full and one tiny one.
 */
export function stepToLimit(t: f64, planned: f64, limit: f64, split: bool): f64 {
  const rest = limit - t;
  if (planned * (1 + STRETCH) >= rest) return rest;
  return split && planned * 2 > rest ? 0.5 * rest : planned;
}
