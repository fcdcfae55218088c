/** Structural analysis of one mode of a running model: everything before code. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import type { Mode } from '../modes/mode.ts';
import { sortMode } from '../structure/mode.ts';
import type { KnownBlocks } from '../structure/sort.ts';
import type { SortedMode } from '../structure/sorted.ts';
import { leaves } from '../symbolic/analyse.ts';
import { discreteLoops } from './explain.ts';
import { freeParameters } from './initial.ts';
import type { Runtime } from './runtime.ts';

/** Which candidates are dependent, for each dynamic selection. */
export type Choices = readonly (readonly number[])[];

/** Either the sorted mode, or why there is none. */
export type Analysis =
  | { readonly sorted: SortedMode; readonly diagnostics: readonly [] }
  | { readonly sorted: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * Sorts a mode; without `choices`, states are chosen for the values in the memory. `known` are blocks of modes before, as long
 * as parameters had the same values.
 */
export function analyseMode(runtime: Runtime, mode: Mode, choices?: Choices, known?: KnownBlocks): Analysis {
  const result = sortMode(runtime.pool, mode.equations, mode.variables, {
    nameOfSymbol: (symbol) => runtime.nameOf(symbol),
    spanOfSymbol: (symbol) => runtime.model.scalars[symbol]?.variable?.origin.span,
    describeEquation: (index) => runtime.describeEquation(index),
    isParameter: (symbol) => runtime.model.scalars[symbol]?.kind === 'parameter',
    evaluate: (expr) => runtime.evaluate(expr),
    calls: runtime.calls,
    zeros: zerosOf(runtime),
    ...(choices && { choices }),
    known,
  });
  const problems = result.mode
    ? discreteLoops(runtime, result.mode)
    : (useOfAbsent(runtime, mode, result.diagnostics) ?? result.diagnostics);
  if (!result.mode || problems.length > 0) return { sorted: undefined, diagnostics: problems };
  return { sorted: result.mode, diagnostics: [] };
}

const zeros = new WeakMap<Runtime, ReadonlySet<number>>();

/** Parameters that are zero. Where some are computed from initial equations, none is known to be so before. */
function zerosOf(runtime: Runtime): ReadonlySet<number> {
  let found = zeros.get(runtime);
  if (!found) {
    const { model, pool } = runtime;
    const isZero = (symbol: number) =>
      model.scalars[symbol]!.kind === 'parameter' && runtime.get(pool.ref(symbol)) === 0;
    found = new Set(freeParameters(runtime).length > 0 ? [] : [...model.scalars.keys()].filter(isZero));
    zeros.set(runtime, found);
  }
  return found;
}

/** A mode without solution whose equations use a variable of a component that does not exist: that is the likely mistake. */
function useOfAbsent(
  runtime: Runtime,
  { equations, strangers }: Mode,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] | undefined {
  for (const symbol of strangers) {
    const user = equations.find(({ left, right }) =>
      [...leaves(left), ...leaves(right)].some((leaf) => leaf.kind === 'ref' && leaf.symbol === symbol),
    );
    if (!user) continue;
    const name = runtime.nameOf(symbol);
    const { guard } = runtime.model.scalars[symbol]!.variable!;
    const state = runtime.model.conditions[guard.at(-1)!.condition]!.label;
    const { text, span } = runtime.describeEquation(user.index);
    const message = `The equation ${text} uses ${name}, which exists only while ${state} is active.`;
    const because = diagnostics.map((d) => ({ message: d.message }));
    return [
      error('unbalanced', message, {
        span,
        hint: `Use ${name} in equations of that state, or under a condition: if activeState(${state}) then … else ….`,
        notes: because,
      }),
    ];
  }
  return undefined;
}
