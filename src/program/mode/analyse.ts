/** Structural analysis of one mode of a running model: everything before code. */
import { type Diagnostic, error, type Note } from '../../diagnostic/diagnostic.ts';
import type { FlatComponent } from '../../flat/flat.ts';
import type { GuardedModel } from '../../modes/guarded.ts';
import { type ConditionValues, type Mode, promote } from '../../modes/mode.ts';
import type { SortedMode } from '../../structure/analysis.ts';
import { sortMode } from '../../structure/mode.ts';
import type { KnownBlocks } from '../../structure/sort.ts';
import { isSameWithout } from '../../structure/zeros.ts';
import { reachable, symbolsOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { blamedComponents, withoutDerivatives } from '../components/equations.ts';
import { discreteLoops } from '../explain.ts';
import type { Runtime } from '../runtime.ts';
import { vanishing } from './vanishing.ts';

/** Which candidates are dependent, for each dynamic selection. */
export type DependentChoices = readonly (readonly number[])[];

/** Either the sorted mode, or why there is none. */
export type Analysis =
  | { readonly sorted: SortedMode; readonly diagnostics: readonly [] }
  | {
      readonly sorted: undefined;
      readonly diagnostics: readonly Diagnostic[];
      /** Built-in components, arrays that stay arrays among them, whose equations may help. */
      readonly blamed: readonly FlatComponent[];
    };

/**
 * Sorts a mode; without `choices`, states are chosen for the values in the memory. `known` are blocks of modes before, as long
 * as parameters had the same values.
 */
export function analyseMode(
  runtime: Runtime,
  mode: Mode,
  choices?: DependentChoices,
  known?: KnownBlocks,
): Analysis {
  const result = sortMode(runtime.values.pool, mode.equations, mode.variables, {
    nameOfSymbol: (symbol) => runtime.wording.nameOf(symbol),
    spanOfSymbol: (symbol) => runtime.model.scalars[symbol]?.variable?.origin.span,
    describeEquation: (index) => runtime.wording.describeEquation(index),
    changesElsewhere: (symbol) =>
      runtime.model.equations.some(
        ({ assigns, right }) =>
          assigns === symbol && reachable(right, (e) => e.kind === 'pre' && e.symbol === symbol),
      ),
    ...runtime.knowledge,
    calls: runtime.code.calls,
    withoutDerivative: (symbol) =>
      runtime.model.scalars[symbol]?.kind === 'external'
        ? 'an output of a built-in component has no derivative'
        : undefined,
    zeros: zerosOf(runtime),
    isTimed: (relation) => runtime.model.relations[relation]!.switchTime !== undefined,
    signs: mode.signs,
    lasting: mode.lasting,
    ...(choices && { choices }),
    known,
  });
  if (result.mode) {
    const problems = discreteLoops(runtime, result.mode);
    if (problems.length > 0) return { sorted: undefined, diagnostics: problems, blamed: [] };
    return { sorted: result.mode, diagnostics: [] };
  }
  const blamed = blamedComponents(runtime.model, result.equations);
  const diagnostics =
    inputsWithoutValue(runtime, result.diagnostics) ??
    useOfAbsent(runtime, mode, result.diagnostics) ??
    (blamed.length > 0
      ? [withoutDerivatives(blamed, result.diagnostics, connectionsOf(runtime, mode, result.equations))]
      : result.diagnostics);
  return { sorted: undefined, diagnostics, blamed: blamed.map(({ component }) => component) };
}

/** The structural index of a mode; arrays that stay arrays are computed from states and inputs. */
export function indexOf({ components }: GuardedModel, { index }: SortedMode): number {
  return Math.max(index, ...components.map(({ flat }) => flat.arrays?.structure.index ?? 0));
}

/** What was zero when the first mode was analysed. */
function zerosOf(runtime: Runtime): ReadonlySet<number> {
  return runtime.finding(vanishing);
}

/** The mode for values of all conditions. */
export function selectMode(runtime: Runtime, values: ConditionValues): Mode {
  return runtime.select(values, zerosOf(runtime));
}

/** A model as one of its modes shows it: more conditions may be structural. */
export function promotedBy(
  runtime: Runtime,
  model: GuardedModel,
  mode: Mode,
  sorted: SortedMode,
): GuardedModel {
  return promote(model, mode, sorted, zerosOf(runtime), (expr) => runtime.wording.print(expr));
}

/**
 * The parameters, or variables that follow from them, whose values of now would lead to another structure than the one that was found; undefined where all that was
 * concluded from values of parameters still holds.
 */
export function restructuring(runtime: Runtime): readonly number[] | undefined {
  const { model, knowledge } = runtime;
  const { pool } = runtime.values;
  const before = runtime.found(vanishing);
  const now = before && vanishing(runtime);
  const changed = now ? [...now, ...before].filter((s) => now.has(s) !== before.has(s)) : [];
  if (now && changed.length > 0) {
    const others = new Set(changed);
    for (const equation of model.equations) {
      const own = symbolsIn(equation).filter((s) => others.has(s));
      if (own.length > 0 && !isSameWithout(pool, equation, before, now)) return own;
    }
  }
  return knowledge.decisions.changed()?.flatMap(symbolsOf);
}

const symbolsIn = ({ left, right }: { readonly left: Expr; readonly right: Expr }): number[] =>
  [left, right].flatMap(symbolsOf);

/** Connections that a message lists. */
const mostConnections = 6;

/** Equations `a = b` of variables in other equations: where they meet, in the words of the model. */
function connectionsOf(runtime: Runtime, mode: Mode, equations: readonly number[]): Note[] {
  const wanted = new Set(equations);
  const symbols = new Set(mode.equations.filter(({ index }) => wanted.has(index)).flatMap(symbolsIn));
  const meets = ({ left, right }: Mode['equations'][number]) =>
    left.kind === 'ref' && right.kind === 'ref' && (symbols.has(left.symbol) || symbols.has(right.symbol));
  return mode.equations
    .filter((e) => !wanted.has(e.index) && meets(e))
    .slice(0, mostConnections)
    .map(({ index }) => {
      const { text, span } = runtime.wording.describeEquation(index);
      return { message: `connection: ${text}`, ...(span && { span }) };
    });
}

/** Missing equations are those of inputs that nothing gives a value. */
function inputsWithoutValue(runtime: Runtime, diagnostics: readonly Diagnostic[]): Diagnostic[] | undefined {
  const { unconnected } = runtime.model.flat;
  return unconnected && diagnostics.some(({ code }) => code === unconnected.code) ? [unconnected] : undefined;
}

/** A mode without solution whose equations use a variable of a component that does not exist: that is the likely mistake. */
function useOfAbsent(
  runtime: Runtime,
  { equations, strangers }: Mode,
  diagnostics: readonly Diagnostic[],
): Diagnostic[] | undefined {
  for (const symbol of strangers) {
    const user = equations.find((equation) => symbolsIn(equation).includes(symbol));
    if (!user) continue;
    const name = runtime.wording.nameOf(symbol);
    const { guard } = runtime.model.scalars[symbol]!.variable!;
    const state = runtime.model.conditions[guard.at(-1)!.condition]!.label;
    const { text, span } = runtime.wording.describeEquation(user.index);
    const message = `The equation ${text} uses ${name}, which exists only while ${state} is active.`;
    return [
      error('unbalanced', message, {
        span,
        hint: `Use ${name} in equations of that state, or under a condition: if activeState(${state}) then … else ….`,
        notes: diagnostics.map((d) => ({ message: d.message })),
      }),
    ];
  }
  return undefined;
}
