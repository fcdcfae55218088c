/**
 * Notation for laws about random models: everything random carries the Modelica text that it stands for, so that
 * a failing case is shown, after shrinking, as a small model.
 */
import fc from 'fast-check';
import {
  Failure,
  type FlatModel,
  loadModel,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import { audited } from '../audited.ts';
import { runsOf } from '../runs.ts';

/** A random case with its text. */
export interface Case<T> {
  readonly text: string;
  readonly data: T;
}

/** Cases of an arbitrary; what is printed of a case is its text. */
export function cases<T>(arbitrary: fc.Arbitrary<T>, print: (data: T) => string): fc.Arbitrary<Case<T>> {
  return arbitrary.map((data) => {
    const text = print(data);
    return { data, text, [fc.toStringMethod]: () => `\n${text}\n` };
  });
}

/** Asserts a law on `runs` cases (`runsOf`); RUNS in the environment asks for another number of them. */
export async function law<T>(
  arbitrary: fc.Arbitrary<T>,
  runs: number,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  const numRuns = Number(process.env.RUNS ?? runsOf(runs));
  await fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns });
}

/** Time for a law when many more cases than usual are asked for. */
export const patience = 3_600_000;

/** A run that must succeed, under audit. */
export async function succeed(text: string, options: SimulateOptions = {}): Promise<SimulationResult> {
  const result = audited(
    await simulate(load(text), { tolerance: 1e-8, intervals: 20, audit: true, ...options }),
  );
  if (result.status !== 'done') {
    const [problem] = result.diagnostics.filter((d) => d.severity === 'error');
    const notes = problem?.notes.map((n) => n.message).join('; ');
    throw new Error(`${result.status} at ${result.time}: ${problem?.message} ${notes}`);
  }
  return result;
}

function load(text: string): FlatModel {
  try {
    return loadModel(text);
  } catch (problem) {
    throw problem instanceof Failure ? new Error(problem.message) : problem;
  }
}

/** Throws unless two numbers agree, relative to their size but at least to 1. */
export function agree(actual: number, expected: number, tolerance: number, what: string): void {
  const scale = Math.max(1, Math.abs(expected));
  if (Math.abs(actual - expected) <= tolerance * scale) return;
  throw new Error(`${what} is ${actual}, not ${expected}`);
}

/** Multiples of 0.1, zero excluded where asked for; they shrink to the simplest. */
export function tenths(from: number, to: number, options: { readonly zero?: boolean } = {}) {
  const numbers = fc.integer({ min: Math.round(10 * from), max: Math.round(10 * to) }).map((n) => n / 10);
  return options.zero === false ? numbers.filter((n) => n !== 0) : numbers;
}

/** A number as a factor or argument. */
export function literal(value: number): string {
  return value < 0 || Object.is(value, -0) ? `(${value})` : `${value}`;
}

/** An order of n things, given by keys; shrinks to the natural one. */
export function orderBy<T>(items: readonly T[], keys: readonly number[]): T[] {
  return items
    .map((item, k) => ({ item, key: keys[k % Math.max(1, keys.length)] ?? 0, k }))
    .sort((a, b) => a.key - b.key || a.k - b.k)
    .map(({ item }) => item);
}

// ---------------------------------------------------------------- signals

/** A smooth function of time with all its derivatives: a sum of terms. */
export type Term =
  | { readonly kind: 'power'; readonly a: number; readonly n: number }
  | { readonly kind: 'sin'; readonly a: number; readonly w: number; readonly p: number }
  | { readonly kind: 'exp'; readonly a: number; readonly w: number };

export type Signal = readonly Term[];

export const signal: fc.Arbitrary<Signal> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('power' as const), a: tenths(-1, 1), n: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ kind: fc.constant('sin' as const), a: tenths(-1, 1), w: tenths(0.5, 3), p: tenths(0, 2) }),
    fc.record({ kind: fc.constant('exp' as const), a: tenths(-1, 1), w: tenths(-2, 0.5) }),
  ),
  { minLength: 1, maxLength: 3 },
);

export function derivative(terms: Signal): Signal {
  return terms.map((term) => {
    if (term.kind === 'power') return { ...term, a: term.a * term.n, n: Math.max(0, term.n - 1) };
    if (term.kind === 'sin') return { ...term, a: term.a * term.w, p: term.p + Math.PI / 2 };
    return { ...term, a: term.a * term.w };
  });
}

export function signalAt(terms: Signal, t: number): number {
  let sum = 0;
  for (const term of terms) {
    if (term.kind === 'power') sum += term.a * t ** term.n;
    else if (term.kind === 'sin') sum += term.a * Math.sin(term.w * t + term.p);
    else sum += term.a * Math.exp(term.w * t);
  }
  return sum;
}

export function signalText(terms: Signal): string {
  const texts = terms.map((term) => {
    const a = literal(term.a);
    if (term.kind === 'power') return term.n === 0 ? a : `${a}*time^${term.n}`;
    if (term.kind === 'sin') return `${a}*sin(${literal(term.w)}*time + ${literal(term.p)})`;
    return `${a}*exp(${literal(term.w)}*time)`;
  });
  return `(${texts.join(' + ')})`;
}
