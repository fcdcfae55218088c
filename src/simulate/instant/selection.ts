/** Dynamic state selection at run time: is the choice of states still good at the current values, and was it in the whole of a step? */

import { remember } from '../../collections/memo.ts';
import type { RunValues } from '../../program/evaluation.ts';
import type { DependentChoices } from '../../program/mode/analyse.ts';
import type { DynamicSelection } from '../../structure/analysis.ts';
import { PivotJudge } from '../../structure/judge.ts';
import { chooseDependent } from '../../structure/pivot.ts';
import type { Expr } from '../../symbolic/expr.ts';

/**
 * A choice is given up when its determinant falls below this share of the best. Errors of the states reach the dependent
 * variables multiplied by its inverse, so it is not far below 1; a restart costs little, and the gap is the hysteresis.
 */
const leastQuality = 0.8;

/** A step does not go on to where its choice is worse than this: what it computes of dependent variables there is not worth much. */
const leastAtEnd = 0.5;

/** The choices to go over to, or undefined where the present ones are good enough. */
export function betterStates(
  values: RunValues,
  selections: readonly DynamicSelection[],
): DependentChoices | undefined {
  let better = false;
  const choices = selections.map((selection) => {
    if (!(judgeOf(values, selection).quality() < leastQuality)) return selection.dependent;
    better = true;
    return chosenAnew(values, selection).dependent;
  });
  return better ? choices : undefined;
}

/** The best choice of dependent variables at the values in the memory. */
function chosenAnew(values: RunValues, { constraints, weights, dependent }: DynamicSelection) {
  const rows = constraints.map((row) =>
    row.map(({ column, value }) => ({ column, value: values.evaluate(value) })),
  );
  return chooseDependent(rows, weights, dependent);
}

/** How good a choice is at the values in the memory, beside the best one. */
class Judge {
  private readonly numbers: Float64Array;
  /** Entries that are no constants, and how to find their values in the memory. */
  private readonly varying: Int32Array;
  private readonly readings: readonly Reading[];
  private readonly small: PivotJudge | undefined;

  constructor(
    private readonly values: RunValues,
    private readonly selection: DynamicSelection,
  ) {
    const { constraints, weights, dependent } = selection;
    const constantOf = (value: Expr) => (value.kind === 'const' ? value.value : undefined);
    const entries = constraints.flatMap((row) => row.map(({ value }) => value));
    const varying = [...entries.keys()].filter((k) => constantOf(entries[k]!) === undefined);
    this.numbers = Float64Array.from(entries, (value) => constantOf(value) ?? Number.NaN);
    this.varying = Int32Array.from(varying);
    this.readings = varying.map((k) => readingOf(values, entries[k]!));
    const rows = constraints.map((row) =>
      row.map(({ column, value }) => ({ column, constant: constantOf(value) })),
    );
    this.small = PivotJudge.of(rows, weights, dependent);
  }

  quality(): number {
    const { varying, readings, numbers, small } = this;
    if (!small) return chosenAnew(this.values, this.selection).quality;
    const memory = this.values.memory.values;
    for (let k = 0; k < varying.length; k++) numbers[varying[k]!] = readings[k]!(memory);
    return small.quality(numbers);
  }
}

const judges = new WeakMap<RunValues, WeakMap<DynamicSelection, Judge>>();

function judgeOf(values: RunValues, selection: DynamicSelection): Judge {
  const own = remember(judges, values, () => new WeakMap());
  return remember(own, selection, () => new Judge(values, selection));
}

type Reading = (memory: Float64Array) => number;

/** The value of an expression, again and again: most derivatives of constraints are multiples of coordinates, or of their differences. */
function readingOf(values: RunValues, expr: Expr, depth = 3): Reading {
  if (expr.kind === 'const') return () => expr.value;
  if (expr.kind === 'ref') {
    const slot = values.slot(expr);
    return (memory) => memory[slot]!;
  }
  if (depth > 0 && expr.kind === 'apply' && (expr.op === 'mul' || expr.op === 'add' || expr.op === 'sub')) {
    const [a, b] = expr.args.map((arg) => readingOf(values, arg, depth - 1)) as [Reading, Reading];
    if (expr.op === 'mul') return (memory) => a(memory) * b(memory);
    return expr.op === 'add' ? (memory) => a(memory) + b(memory) : (memory) => a(memory) - b(memory);
  }
  return () => values.evaluate(expr);
}

/** How far the change of a variable over a step may be from what its derivatives at both ends say, as a share of it. */
const mostDeviation = 0.3;

/**
 * Watches the variables among which states are chosen, over steps. Constraints have several solutions, and a step that is too large ends on
 * another one than it began on: a pendulum seems to bounce at its lowest point. Then derivatives do not fit the values.
 */
export class StepWatch {
  /** The time of the beginning, values and slopes there in turn, and whether the choice is good there, as far as that is known: a value. */
  now = { time: 0, before: new Float64Array(0), isGood: false };
  private judges: readonly Judge[] = [];
  /** Of the variables: where values and slopes are, in turn, and typical sizes. */
  private slots = new Int32Array(0);
  private nominals = new Float64Array(0);
  /** Values and slopes at the end that was looked at last, and how good the choice is there. */
  private after = new Float64Array(0);
  private quality = 0;

  constructor(
    private readonly values: RunValues,
    private readonly tolerance: number,
  ) {}

  /** Begins with the values in the memory. */
  begin(time: number, selections: readonly DynamicSelection[]): void {
    const { values } = this;
    const refs = selections.flatMap((s) => s.candidates);
    this.judges = selections.map((selection) => judgeOf(values, selection));
    this.slots = Int32Array.from(
      refs.flatMap((ref) => [values.slot(ref), values.slot(values.pool.ref(ref.symbol, ref.order + 1))]),
    );
    this.nominals = Float64Array.from(refs, ({ symbol }) => values.nominalOf(symbol));
    this.after = new Float64Array(this.slots.length);
    this.now = { time, before: new Float64Array(this.slots.length), isGood: false };
    this.read(this.now.before);
  }

  /** Goes on from the end of a step that fits, whose values are in the memory again. */
  next(time: number): void {
    const { now } = this;
    now.time = time;
    now.isGood = this.quality >= leastQuality;
    this.read(now.before);
  }

  /** Whether the values in the memory can be those at the end of a step. */
  fits(time: number): boolean {
    const { judges: all, nominals, after, tolerance } = this;
    const { before } = this.now;
    this.quality = 1;
    for (let k = 0; k < all.length; k++) this.quality = Math.min(this.quality, all[k]!.quality());
    if (this.quality < leastAtEnd) return false;
    const half = 0.5 * (time - this.now.time);
    this.read(after);
    for (let k = 0; k < nominals.length; k++) {
      const [a, b] = [before[2 * k]!, after[2 * k]!];
      const [from, to] = [before[2 * k + 1]!, after[2 * k + 1]!];
      const size = Math.max(nominals[k]!, Math.abs(a), Math.abs(b));
      const room = mostDeviation * half * (Math.abs(from) + Math.abs(to)) + tolerance * size;
      if (!(Math.abs(b - a - half * (from + to)) <= room)) return false;
    }
    return true;
  }

  private read(into: Float64Array): void {
    const { values } = this.values.memory;
    const { slots } = this;
    for (let k = 0; k < slots.length; k++) into[k] = values[slots[k]!]!;
  }
}
