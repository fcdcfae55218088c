/**
 * Where a run has come to, as a value that can be kept, sent to another thread or written down, and from which a run of the same model goes on as if it had not
 * ended. It holds the whole memory of the run: values, integrators with their history, systems, machines, clocks, and what components remember.
 */
import { fromText, toText } from '../../collections/plain.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Settings } from '../settings.ts';
import type { RunSnapshot } from '../types.ts';
import type { RunState } from './engine.ts';

const format = 'mutabor-state';
const version = 1;

/** Settings with which a run goes on as it began. */
const lasting = ['startTime', 'tolerance', 'method', 'sliding', 'singleMode', 'keptModes'] as const;

export interface Manner {
  readonly scalars: boolean;
  readonly written: ReadonlySet<string>;
}

export function snapshotOf(
  model: string,
  runtime: Runtime,
  settings: Settings,
  { scalars, written }: Manner,
  time: number,
  state: RunState,
): RunSnapshot {
  const own = Object.fromEntries(
    lasting.map((name) => [name, settings[name]]),
  ) as unknown as RunSnapshot['settings'];
  const structure = structureOf(runtime);
  return { format, version, model, time, structure, settings: own, scalars, written: [...written], state };
}

/** What is in a snapshot. */
export const stateOf = ({ state }: RunSnapshot): RunState => state as RunState;

/** The options of a run that goes on from a snapshot. */
export function resumedSettings(settings: Settings, { settings: own }: RunSnapshot): Settings {
  return { ...settings, ...own };
}

/** What is wrong with a snapshot, or with options beside it. */
export function snapshotProblems(
  snapshot: unknown,
  options: Readonly<Record<string, unknown>>,
): Diagnostic[] {
  if (!isSnapshot(snapshot))
    return [
      error('bad-start', 'What a run is to go on from is no state of a run.', {
        hint: 'Give it the `state` of a result, or what `stateFromText` gives.',
      }),
    ];
  return lasting.flatMap((name) => {
    const given = options[name];
    if (given === undefined || given === snapshot.settings[name]) return [];
    const message = `A run goes on with what it began with: \`${name}\` is ${snapshot.settings[name]}, and cannot become ${given}.`;
    return [error('bad-option', message)];
  });
}

export const isSnapshot = (value: unknown): value is RunSnapshot =>
  Object(value).format === format && Object(value).version === version && Object(value).state !== undefined;

/** Throws a `Failure` where a snapshot is that of another model. */
export function checkStructure(runtime: Runtime, { structure, model }: RunSnapshot): void {
  if (structure === structureOf(runtime)) return;
  const message = `The state is that of another model, or of other values that shape it: of \`${model}\`.`;
  throw Failure.of('initialise', 'bad-start', message);
}

/** A number for all that a state refers to by its place: variables, relations, conditions, machines, components (FNV-1a). */
function structureOf({ model }: Runtime): string {
  let hash = 0x811c9dc5;
  const add = (text: string): void => {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ 10, 0x01000193);
  };
  for (const { name, kind } of model.scalars) add(`${name} ${kind}`);
  for (const { flat } of model.components) add(`${flat.path} ${flat.builtIn.name}`);
  for (const machine of model.machines) add(machine.states.map(({ name }) => name).join());
  add(`${model.equations.length} ${model.relations.length} ${model.remembered.join()}`);
  return `${model.scalars.length} ${(hash >>> 0).toString(16)}`;
}

/** The state of a run as text, for a file. */
export const stateToText = (snapshot: RunSnapshot): string => toText(snapshot);

/** Throws a `Failure` where the text is no state. */
export function stateFromText(text: string): RunSnapshot {
  let value: unknown;
  try {
    value = fromText(text);
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem;
  }
  if (isSnapshot(value)) return value;
  throw Failure.of('initialise', 'bad-start', 'The text is no state of a run.', {
    hint: 'States are written by `stateToText`, of the same version.',
  });
}
