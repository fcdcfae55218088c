/**
 * How large the terms are that a value is computed from: arguments are changed by a small share in random directions, and the value shows by how
 * much it changes. A difference of large numbers is zero up to their rounding errors, and up to the errors with which they were integrated.
 */
import { timeSlot } from '../../code/memory.ts';
import type { RunValues } from '../evaluation.ts';
import type { ReadyMode } from '../ready.ts';

/** The share by which arguments are changed: far above rounding, far below anything nonlinear. */
export const disturbance = 2 ** -26;

/** Rounding errors as a share of the terms: some tens of units in the last place. */
export const roundingShare = 2 ** -44;

/** A number between 1/2 and 3/2 with any sign, without a pattern that equations could share. */
export function scatter(i: number): number {
  const hash = Math.imul(i + 1, 0x9e3779b1) >>> 0;
  return (0.5 + (hash & 0xffff) / 0x10000) * (hash & 0x40000000 ? 1 : -1);
}

/**
 * Rounding errors of the indicators at the point the memory is at, where they are evaluated: a share of the terms of states and time.
 */
export function roundingErrors(values: RunValues, mode: ReadyMode): Float64Array {
  return terms(values, mode, (value) => value).map((size) => size * roundingShare);
}

/** Errors of integration: what the tolerances of states allow. */
export function integrationErrors(values: RunValues, mode: ReadyMode): Float64Array {
  const { tolerance } = values;
  const nominalOf = (symbol: number | undefined) => (symbol === undefined ? 1 : values.nominalOf(symbol));
  const sizes = terms(values, mode, (value, symbol) => Math.max(value, nominalOf(symbol)));
  return sizes.map((size) => size * tolerance);
}

/** Sizes of the terms of indicators, for given sizes of states. Code of built-in components is not asked: it may take its time. */
function terms(
  run: RunValues,
  mode: ReadyMode,
  sizeOf: (value: number, symbol: number | undefined) => number,
): Float64Array {
  const { states, size, indicatorCount, parts } = mode;
  const { values } = run.memory;
  const saved = run.saved();
  const before = new Float64Array(indicatorCount);
  const after = new Float64Array(indicatorCount);
  mode.readIndicators(before);
  const time = values[timeSlot]!;
  const y = new Float64Array(size);
  mode.readStates(y);
  const count = parts.every(({ live }) => live.component.flat.arrays) ? size : states.length;
  const disturbed = y.map((value, i) =>
    i < count ? value + scatter(i) * disturbance * sizeOf(Math.abs(value), states[i]?.symbol) : value,
  );
  try {
    if (!mode.place(time * (1 + disturbance), disturbed) || !mode.evaluateWatched()) return after;
    mode.readIndicators(after);
    return after.map((value, i) => Math.abs(value - before[i]!) / disturbance || 0);
  } finally {
    mode.place(time, y);
    values.set(saved);
  }
}
