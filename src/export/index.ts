/**
 * Models for other tools: a model with several modes as standard Modelica with one structure (`merge.ts`), a model with one
 * structure as it is, without classes and connections.
 */

import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { kind, requireOptions } from '../diagnostic/options.ts';
import { withEquations } from '../flat/behaviour/components.ts';
import { requireFlat } from '../flat/core/require.ts';
import type { FlatModel } from '../flat/flat.ts';
import { modelText, partsOf } from '../flat/print/class.ts';
import { writtenNames } from '../flat/print/names.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { ModeCollection } from '../simulate/collection.ts';
import { collectModes } from '../simulate/survey.ts';
import { refuseFeedback } from './feedback.ts';
import { mergeModes } from './merge.ts';
import { stepsIn } from './steps.ts';

export interface ExportOptions {
  /** Modes to write at most; default 64. */
  readonly limit?: number | undefined;
}

export interface Exported {
  readonly text: string;
  /** What the text cannot say. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The text of a model in standard Modelica. Throws a `Failure` where the model cannot be written. */
export function exportModelica(model: FlatModel, options: ExportOptions = {}): Exported {
  requireFlat(model, 'exportModelica');
  requireOptions<ExportOptions>(options, { limit: kind.number }, 'exportModelica');
  const { limit = 64 } = options;
  const flat = withEquations(model, new Set(model.components.map(({ path }) => path)));
  refuseComponents(flat);
  refuseClocks(flat);
  const collection = collectModes(flat, limit);
  if (!collection.complete) throw new Failure('translate', [tooMany(flat, collection.combinations, limit)]);
  const { functions, modes } = collection;
  refuseFloating(collection);
  if (modes.length === 1 && collection.model.machines.length === 0) {
    return finished(modelText(flat, writtenNames(flat), partsOf(flat)), stepsIn(collection, 'warning'));
  }
  const steps = stepsIn(collection, 'error');
  if (steps.length > 0) throw new Failure('translate', steps);
  refuseInitialEquations(collection.model);
  const diagnostics = refuseFeedback(collection);
  const merged = mergeModes(collection);
  const text = modelText(flat, merged.vocabulary.names, {
    functions,
    declarations: merged.declarations,
    initial: merged.initial,
    sections: merged.sections,
    remarks: [
      `One structure for the ${merged.modes.length} modes of ${flat.name}, written by Mutabor.`,
      ...merged.modes.map((signature, k) => `  mode ${k + 1}: ${signature}`),
    ],
  });
  return finished(text, diagnostics);
}

/** A choice among potentials that lasts until the next event cannot be written, nor a model that leaves them open. */
function refuseFloating({ model, wording, modes }: ModeCollection): void {
  for (const { mode, analysis } of modes) {
    const free = analysis.sorted?.floating.find(({ held }) => held || modes.length === 1);
    if (!free) continue;
    const where = mode.signature ? ` in the mode ${mode.signature}` : '';
    const message = `Nothing determines the potential ${wording.nameOf(free.symbol)}${where}, which other tools do not allow.`;
    throw Failure.of('translate', 'not-exportable', message, {
      span: model.scalars[free.symbol]!.variable?.origin.span,
      hint: 'Connect that part of the model with a ground.',
    });
  }
}

/** Code cannot be written; the equations of a component that has them are. */
function refuseComponents({ components }: FlatModel): void {
  const [component] = components;
  if (!component) return;
  const { path, builtIn, origin, whole } = component;
  if (whole) {
    const message = `\`${whole.parts[0]!.path}\` and other parts of \`${builtIn.name}\` have no equations that other tools could read.`;
    const hint = 'They are code of this program. A flat model that it can read again has them as they are.';
    throw Failure.of('translate', 'not-exportable', message, { span: origin.span, hint });
  }
  const name = path === '' ? `"${builtIn.name}"` : `${path} ("${builtIn.name}")`;
  const message = `The built-in component ${name} is code without equations.`;
  const hint = 'Give it `equations` that say the same.';
  throw Failure.of('translate', 'not-exportable', message, { span: origin.span, hint });
}

function refuseClocks({ equations }: FlatModel): void {
  const clocked = equations.find((e) => e.kind === 'clocked');
  if (!clocked) return;
  const message = 'The model has equations on clocks, which are not written.';
  const hint = 'Write sampled equations with `when sample(…)`.';
  throw Failure.of('translate', 'not-exportable', message, { span: clocked.origin.span, hint });
}

/** Initial equations of a state hold whenever it is entered anew; a text can say that of the beginning of a run only. */
function refuseInitialEquations({ initialEquations, machines }: GuardedModel): void {
  const entered = new Set(machines.flatMap((m) => m.transitions.map((t) => m.states[t.to]!.condition)));
  const found = initialEquations.find((e) => e.guard.some((l) => l.value && entered.has(l.condition)));
  if (!found) return;
  const message = 'A state has initial equations, which cannot be written for every time that it is entered.';
  const hint = 'Give start values with `fixed = true`, or set the values by actions of transitions.';
  throw Failure.of('translate', 'not-exportable', message, { span: found.origin.span, hint });
}

function finished(text: string, diagnostics: readonly Diagnostic[]): Exported {
  if (!text.includes('…')) return { text, diagnostics };
  const message = 'An expression of the model is nested too deeply to be written.';
  throw Failure.of('translate', 'limit-exceeded', message);
}

function tooMany(flat: FlatModel, combinations: number, limit: number): Diagnostic {
  const condition = flat.conditions[0];
  return error(
    'not-exportable',
    `The model has up to ${combinations} modes; no more than ${limit} are written.`,
    {
      span: condition?.origin.span,
      hint: 'Ask for more with the option `limit`, or let fewer conditions select modes.',
      commandHint: 'Ask for more with --limit, or let fewer conditions select modes.',
    },
  );
}
