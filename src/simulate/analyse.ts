/** Structural analysis of one mode of a running model: everything before code. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Mode } from '../modes/mode.ts';
import { sortMode } from '../structure/mode.ts';
import type { SortedMode } from '../structure/sorted.ts';
import { discreteLoops } from './explain.ts';
import type { Runtime } from './runtime.ts';

/** Which candidates are dependent, for each dynamic selection. */
export type Choices = readonly (readonly number[])[];

/** Either the sorted mode, or why there is none. */
export type Analysis =
  | { readonly sorted: SortedMode; readonly diagnostics: readonly [] }
  | { readonly sorted: undefined; readonly diagnostics: readonly Diagnostic[] };

/** Sorts a mode; without `choices`, states are chosen for the values in the memory. */
export function analyseMode(runtime: Runtime, mode: Mode, choices?: Choices): Analysis {
  const result = sortMode(runtime.pool, mode.equations, mode.variables, {
    nameOfSymbol: (symbol) => runtime.nameOf(symbol),
    describeEquation: (index) => runtime.describeEquation(index),
    isParameter: (symbol) => runtime.model.scalars[symbol]?.kind === 'parameter',
    evaluate: (expr) => runtime.evaluate(expr),
    calls: runtime.calls,
    ...(choices && { choices }),
  });
  const problems = result.mode ? discreteLoops(runtime, result.mode) : result.diagnostics;
  if (!result.mode || problems.length > 0) return { sorted: undefined, diagnostics: problems };
  return { sorted: result.mode, diagnostics: [] };
}
