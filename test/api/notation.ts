/** What the tests of this folder share: simulating a model to its end, and what a call that must fail says. */
import { expect } from 'vitest';
import { type AnyModel, type Diagnostic, Failure, loadModel, simulate } from '../../src/index.ts';

/** The last values of variables after a run without any complaint. */
export async function final(model: AnyModel, stopTime: number, names: readonly string[]): Promise<number[]> {
  const { status, table, diagnostics } = await simulate(loadModel(model), { stopTime, tolerance: 1e-10 });
  expect(diagnostics.map((item) => item.message)).toEqual([]);
  expect(status).toBe('done');
  return names.map((name) => table.final().get(name) as number);
}

/** Values agree to a relative (below 1: absolute) error. */
export function expectClose(actual: readonly number[], expected: readonly number[], error = 1e-7): void {
  expect(actual.length).toBe(expected.length);
  for (const [k, value] of actual.entries())
    expect(Math.abs(value - expected[k]!), `${value} instead of ${expected[k]}`).toBeLessThan(
      error * Math.max(1, Math.abs(expected[k]!)),
    );
}

/** The diagnostics with which a call fails. */
export function problemsOf(call: () => unknown): readonly Diagnostic[] {
  try {
    call();
  } catch (problem) {
    if (problem instanceof Failure) return problem.diagnostics;
    throw problem;
  }
  throw new Error('the call did not fail');
}

/** The only diagnostic, as `code: message (hint)`. */
export function problemOf(call: () => unknown): string {
  const list = problemsOf(call).map(
    ({ code, message, hint }) => `${code}: ${message}${hint ? ` (${hint})` : ''}`,
  );
  expect(list.length).toBe(1);
  return list[0]!;
}
