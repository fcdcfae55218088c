/**
 * One step of the implicit Euler method over the undecided equations of a model (`modes/undecided.ts`), as a function of numbers: values of
 * relations in, indicators at the end of the step out. Everything is compiled once; what a relation chooses is a weight in the memory.
 *
 * For a step h that goes to zero an indicator is s(-1)/h + s(0) + s(1)*h: its impulse, its value and its direction, in this order. So its
 * sign after a very small step says what holds immediately after an instant, jumps and impulses included.
 *
 * The memory is one of its own: nothing of a run changes.
 */
import { EvaluationError } from '../../code/fault.ts';
import { Memory, timeSlot } from '../../code/memory.ts';
import type { Program, SlotAssignment } from '../../code/unit.ts';
import { compileUnit } from '../../code/wasm.ts';
import type { SparsePattern } from '../../collections/pattern.ts';
import { leak, type Undecided } from '../../modes/undecided.ts';
import type { RunValues } from '../../program/evaluation.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import { disturbance, scatter } from '../../program/mode/disturbance.ts';
import type { Runtime } from '../../program/runtime.ts';
import { createLinearSolver } from '../../solve/linear.ts';
import type { LinearSolver } from '../../solve/solver.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { gradient } from '../../symbolic/differentiate.ts';
import type { Expr } from '../../symbolic/expr.ts';

/** A short step, as a share of time and of the time in which states change. */
const stepAhead = 1e-7;
const shareOfChange = 1e-5;
/** Newton steps for equations that are not linear. */
const mostIterations = 12;
/** Corrections below this share of the unknowns end the iteration. */
const converged = 1e-9;
/** Rounding errors of single terms, with a margin, and of a solution as a multiple of what correcting it changes. */
const rounding = 2 ** -45;
const errorOfSolution = 64;

/** Indicators after a step, by the order of relations, and what is zero for each. */
export interface Stepped {
  readonly indicators: Float64Array;
  readonly zeros: Float64Array;
}

const routine = { weights: 0, system: 1, indicators: 2, conditions: 3 } as const;

/**
 * A time that is short compared with time itself, and with the time in which the states of a mode change; `least` is the smallest, as a share of
 * time. Without a mode nothing is known of states.
 */
export function shortTime(run: RunValues, mode: CompiledMode | undefined, least: number): number {
  const { values } = run.memory;
  const time = Math.abs(run.time);
  let step = stepAhead * Math.max(1, time);
  for (const [i, { symbol }] of (mode?.states ?? []).entries()) {
    const size = Math.max(Math.abs(values[mode!.stateSlots[i]!]!), run.nominalOf(symbol));
    step = Math.min(step, (shareOfChange * size) / Math.abs(values[mode!.derivativeSlots[i]!]!));
  }
  return Math.max(step, least * time);
}

export class EulerStep {
  readonly relations: readonly number[];
  readonly conditions: readonly number[];
  private readonly memory = new Memory();
  private readonly program: Program;
  /** Pairs of slots: in the memory of the run, and here. */
  private readonly copied: Int32Array;
  private readonly unknownSlots: Int32Array;
  private readonly heldSlots: Int32Array;
  private readonly leftSlots: Int32Array;
  /** Rows that say no more than that two unknowns are equal. */
  private readonly equalities: readonly number[];
  private readonly rateSlot: number;
  private readonly firstRow: number;
  private readonly firstEntry: number;
  private readonly firstIndicator: number;
  private readonly firstCondition: number;
  private readonly pattern: SparsePattern;
  /** Whether one Newton step is all: equations are linear, or contain built-in components, which are asked near the left limits only. */
  readonly linear: boolean;
  private solver: LinearSolver;
  /** The run whose pivots the solver has. */
  private run = -1;
  // Work space.
  private readonly begin: Float64Array;
  private readonly x: Float64Array;
  private readonly b: Float64Array;
  private readonly entries: Float64Array;
  private readonly terms: Float64Array;
  private readonly factors: Float64Array;
  private readonly correction: Float64Array;

  /** Undefined where something has no derivative. */
  static of(runtime: Runtime, system: Undecided): EulerStep | undefined {
    const { pool } = runtime.values;
    const { calls } = runtime.code;
    const columns = new Map<Expr, number>(system.unknowns.map((unknown, j) => [unknown, j]));
    const slopes: (readonly [Expr, Expr])[][] = [];
    for (const row of system.rows) {
      const { value } = gradient(pool, row, (leaf) => columns.has(leaf), calls);
      if (!value) return undefined;
      slopes.push([...value]);
    }
    return new EulerStep(runtime, system, columns, slopes);
  }

  private constructor(
    private readonly runtime: Runtime,
    system: Undecided,
    columns: ReadonlyMap<Expr, number>,
    slopes: readonly (readonly (readonly [Expr, Expr])[])[],
  ) {
    const { memory } = this;
    const { pool } = runtime.values;
    const { rows, unknowns, lefts, rate, relations, weights, conditions } = system;
    const n = unknowns.length;
    const entries = slopes
      .flatMap((row, i) => row.map(([leaf, slope]) => ({ i, j: columns.get(leaf)!, slope })))
      .sort((a, b) => a.j - b.j || a.i - b.i);
    this.relations = relations.map((r) => r.relation);
    this.conditions = conditions.map((c) => c.condition);
    this.pattern = patternOf(n, entries);
    this.linear =
      runtime.model.components.some(({ flat }) => !flat.arrays) ||
      entries.every(({ slope }) => leaves(slope).every((leaf) => !columns.has(leaf)));
    this.unknownSlots = Int32Array.from(unknowns, memory.slotOf);
    this.heldSlots = Int32Array.from(this.relations, (k) => memory.slotOf(pool.held(k)));
    this.leftSlots = Int32Array.from(
      lefts.flatMap(({ symbol, left }) => [memory.slotOf(pool.ref(symbol)), memory.slotOf(left)]),
    );
    this.rateSlot = memory.slotOf(rate);
    this.equalities = rows.flatMap((row, i) =>
      row.kind === 'apply' && row.op === 'sub' && row.args.every((arg) => columns.has(arg)) ? [i] : [],
    );
    this.firstRow = memory.reserve(n);
    this.firstEntry = memory.reserve(entries.length);
    this.firstIndicator = memory.reserve(relations.length);
    this.firstCondition = memory.reserve(conditions.length);
    const into = <T>(first: number, items: readonly T[], valued: (item: T) => Expr): SlotAssignment[] =>
      items.map((item, k) => ({ slot: first + k, value: valued(item) }));
    const routines = [
      {
        name: 'weights',
        body: weights.map(({ weight, condition }) => ({
          slot: memory.slotOf(weight),
          value: pool.if(condition, pool.const(1 - leak), pool.const(leak)),
        })),
      },
      {
        name: 'system',
        body: [
          ...into(this.firstRow, rows, (row) => row),
          ...into(this.firstEntry, entries, (entry) => entry.slope),
        ],
      },
      { name: 'indicators', body: into(this.firstIndicator, relations, (relation) => relation.indicator) },
      { name: 'conditions', body: into(this.firstCondition, conditions, (condition) => condition.value) },
    ];
    const own = new Set<Expr>([
      rate,
      pool.time,
      ...lefts.map((l) => l.left),
      ...weights.map((w) => w.weight),
    ]);
    const read = new Set(routines.flatMap(({ body }) => body.flatMap(({ value }) => [...leaves(value)])));
    this.copied = Int32Array.from(
      [...read]
        .filter((leaf) => !own.has(leaf))
        .flatMap((leaf) => [runtime.values.slot(leaf), memory.slotOf(leaf)]),
    );
    this.program = compileUnit({ ...runtime.code.unitOf(routines), slotOf: memory.slotOf }, memory);
    this.solver = createLinearSolver(this.pattern);
    this.begin = new Float64Array(n);
    this.x = new Float64Array(n);
    this.b = new Float64Array(n);
    this.entries = new Float64Array(entries.length);
    this.terms = new Float64Array(n);
    this.factors = new Float64Array(n);
    this.correction = new Float64Array(n);
  }

  /** Begins at the values in the memory of the run, which are left limits; gives the relations as they are there. */
  start(): boolean[] {
    const { runtime, copied, unknownSlots, begin } = this;
    const from = runtime.values.memory.values;
    const { values } = this.memory;
    if (this.run !== runtime.values.run) {
      // Pivots that an earlier run has chosen would let rounding differ.
      this.solver = createLinearSolver(this.pattern);
      this.run = runtime.values.run;
    }
    for (let k = 0; k < copied.length; k += 2) {
      const value = from[copied[k]!]!;
      values[copied[k + 1]!] = Number.isFinite(value) ? value : 0;
    }
    for (let k = 0; k < this.leftSlots.length; k += 2)
      values[this.leftSlots[k + 1]!] = values[this.leftSlots[k]!]!;
    for (let j = 0; j < begin.length; j++) begin[j] = values[unknownSlots[j]!]!;
    return Array.from(this.heldSlots, (slot) => values[slot] !== 0);
  }

  /** A step of length h with these values of relations; undefined where the equations have no solution. */
  step(held: readonly boolean[], h: number): Stepped | undefined {
    const { memory } = this.runtime.values;
    const time = memory.values[timeSlot]!;
    // Built-in components ask the run for the time.
    memory.values[timeSlot] = time + h;
    try {
      return this.stepTo(time + h, held, h);
    } catch (problem) {
      if (!(problem instanceof EvaluationError)) throw problem;
      return undefined;
    } finally {
      memory.values[timeSlot] = time;
    }
  }

  private stepTo(time: number, held: readonly boolean[], h: number): Stepped | undefined {
    const { program, x, b, begin } = this;
    const { values } = this.memory;
    values[timeSlot] = time;
    this.hold(held);
    program.run(routine.weights);
    x.set(begin);
    for (let n = 0; ; n++) {
      this.place(x);
      if (n === 0) this.measure();
      values[this.rateSlot] = 1 / h;
      program.run(routine.system);
      if (!this.factor() || !this.solveRows()) return undefined;
      for (let j = 0; j < x.length; j++) x[j] = x[j]! + b[j]!;
      if (this.linear || this.isSmall(b)) break;
      if (n === mostIterations) return undefined;
    }
    return this.judge();
  }

  /**
   * Solves J b = -F, and corrects the solution once. Where it is exactly zero, elimination leaves rounding errors of values elsewhere; the correction
   * removes them and so tells how large they were.
   */
  private solveRows(): boolean {
    const { b, correction, firstRow, firstEntry } = this;
    const { values } = this.memory;
    const { starts, rows } = this.pattern;
    for (let i = 0; i < b.length; i++) correction[i] = -values[firstRow + i]!;
    if (!this.solve(correction)) return false;
    b.set(correction);
    for (let i = 0; i < b.length; i++) correction[i] = -values[firstRow + i]!;
    for (let j = 0; j < b.length; j++)
      for (let k = starts[j]!; k < starts[j + 1]!; k++)
        correction[rows[k]!]! -= values[firstEntry + k]! * b[j]!;
    if (!this.solve(correction)) return false;
    for (let j = 0; j < b.length; j++) b[j] = b[j]! + correction[j]!;
    return true;
  }

  /** Values of the conditions that depend on relations. */
  conditionValues(held: readonly boolean[]): boolean[] {
    const { values } = this.memory;
    this.hold(held);
    this.program.run(routine.conditions);
    return this.conditions.map((_, k) => values[this.firstCondition + k] !== 0);
  }

  private hold(held: readonly boolean[]): void {
    const { values } = this.memory;
    for (let k = 0; k < held.length; k++) values[this.heldSlots[k]!] = held[k] ? 1 : 0;
  }

  /** Sizes of the terms of all rows at the beginning, where nothing moves; what is equal there is so without any rounding. */
  private measure(): void {
    this.memory.values[this.rateSlot] = 0;
    this.program.run(routine.system);
    this.addTerms(this.terms.fill(0), this.x);
    for (const i of this.equalities) this.terms[i] = 0;
  }

  /** Adds the sum of |dF/dx * v| to each row. */
  private addTerms(sums: Float64Array, v: Float64Array): void {
    const { values } = this.memory;
    const { starts, rows } = this.pattern;
    for (let j = 0; j < v.length; j++)
      for (let k = starts[j]!; k < starts[j + 1]!; k++)
        sums[rows[k]!]! += Math.abs(values[this.firstEntry + k]! * v[j]!);
  }

  /** Indicators at x, and how far rounding may have moved them. */
  private judge(): Stepped {
    const { b, x, begin, terms, correction } = this;
    for (let j = 0; j < x.length; j++) b[j] = x[j]! - begin[j]!;
    this.addTerms(terms, b);
    const indicators = this.indicatorsAt(x);
    for (let i = 0; i < b.length; i++) b[i] = scatter(i) * disturbance * terms[i]!;
    this.solve(b);
    for (let j = 0; j < x.length; j++) b[j] = b[j]! + x[j]! * (1 + scatter(j) * disturbance);
    const disturbed = this.indicatorsAt(b);
    for (let j = 0; j < x.length; j++) b[j] = x[j]! + correction[j]!;
    const corrected = this.indicatorsAt(b);
    const zeros = indicators.map(
      (value, k) =>
        (rounding / disturbance) * Math.abs(disturbed[k]! - value) +
        errorOfSolution * Math.abs(corrected[k]! - value),
    );
    return { indicators, zeros };
  }

  private indicatorsAt(x: Float64Array): Float64Array {
    const { firstIndicator } = this;
    this.place(x);
    this.program.run(routine.indicators);
    return this.memory.values.slice(firstIndicator, firstIndicator + this.relations.length);
  }

  private place(x: Float64Array): void {
    const { values } = this.memory;
    const { unknownSlots } = this;
    for (let j = 0; j < x.length; j++) values[unknownSlots[j]!] = x[j]!;
  }

  /** Factors the matrix with rows of similar size. */
  private factor(): boolean {
    const { entries, factors, solver } = this;
    const { values } = this.memory;
    const { rows } = this.pattern;
    factors.fill(0);
    for (let k = 0; k < entries.length; k++) {
      const size = Math.abs(values[this.firstEntry + k]!);
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      if (size > factors[rows[k]!]!) factors[rows[k]!] = size;
    }
    for (let i = 0; i < factors.length; i++) factors[i] = factors[i]! > 0 ? 1 / factors[i]! : 1;
    for (let k = 0; k < entries.length; k++) entries[k] = values[this.firstEntry + k]! * factors[rows[k]!]!;
    return solver.factor(entries);
  }

  /** Replaces `b`; false where the result is no number. */
  private solve(b: Float64Array): boolean {
    const { factors, solver } = this;
    for (let i = 0; i < b.length; i++) b[i] = b[i]! * factors[i]!;
    solver.solve(b);
    let check = 0;
    for (let j = 0; j < b.length; j++) check += b[j]! * 0;
    return check === 0;
  }

  private isSmall(correction: Float64Array): boolean {
    const { x } = this;
    for (let j = 0; j < x.length; j++)
      if (!(Math.abs(correction[j]!) <= converged * Math.abs(x[j]!))) return false;
    return true;
  }
}

function patternOf(n: number, entries: readonly { readonly i: number; readonly j: number }[]): SparsePattern {
  const starts = new Int32Array(n + 1);
  for (const { j } of entries) starts[j + 1]!++;
  for (let j = 0; j < n; j++) starts[j + 1]! += starts[j]!;
  return { n, starts, rows: Int32Array.from(entries, (e) => e.i) };
}
