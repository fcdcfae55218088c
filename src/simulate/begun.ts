/**
 * What a run of a model works on, for those who look at it without a run: the same equations, with the same arrays that stay arrays and the same
 * built-in components that stand in it with their equations.
 */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../diagnostic/failure.ts';
import type { FlatModel } from '../flat/flat.ts';
import { type Needs, writtenNotes } from '../program/components/equations.ts';
import { Translation } from '../program/translation.ts';
import { missingWarnings } from '../symbolic/foreign.ts';
import { Engine } from './run/engine.ts';
import { type Settings, settingsOf } from './settings.ts';

/** Works on a translation that has not begun; where it shows that other equations are needed, once more with these. */
export function asInRun<T>(
  flat: FlatModel,
  { interpret = false, scalars = false }: { readonly interpret?: boolean; readonly scalars?: boolean },
  work: (translation: Translation, settings: Settings, notes: readonly Diagnostic[]) => T,
): T {
  const settings = settingsOf(flat.experiment, {});
  const written = new Set<string>();
  let isScalar = scalars;
  for (;;) {
    const translation = new Translation(flat, { ...settings, interpret, written, scalars: isScalar });
    translation.runtime.values.foreign.lenient = true;
    // Without what external functions give, no run could begin.
    const isWhole = missingWarnings(flat.functions).length === 0;
    let needs = translation.hasArrays && isWhole ? needsToBegin(translation, settings) : undefined;
    if (!needs) {
      const result = attempted(() => work(translation, settings, writtenNotes(flat, written)));
      needs = translation.runtime.components.takeNeeds();
      translation.runtime.end();
      if (!needs && result instanceof Failure) throw result;
      if (!needs) return result as T;
    }
    isScalar ||= needs.scalars;
    for (const path of needs.equations) written.add(path);
  }
}

/** Whether arrays can stay arrays shows when a run begins; what else goes wrong there is of no interest. */
function needsToBegin(translation: Translation, settings: Settings): Needs | undefined {
  const { runtime, bank } = translation;
  const failure = failureOf(() => {
    runtime.begin();
    new Engine(runtime, settings, bank).initialise();
  });
  bank.begin();
  return translation.takeNeeds(failure, false);
}
