/** The first half of every command: command line, files, classes, flat model. */
import { type Diagnostic, error, type Stage } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { FlatModel, FlatVariable } from '../flat/flat.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { classByName } from '../model/classes/lookup.ts';
import type { Override } from '../model/instances/outside.ts';
import { readOverride } from '../model/instances/outside.ts';
import type { Core } from './core.ts';
import { type Input, type ReadInput, readInput } from './input.ts';
import { type Arguments, badOption } from './options.ts';
import type { Refusal } from './report.ts';
import type { Io } from './surroundings.ts';

export type Loading = Loaded | Refused;

export interface Loaded {
  readonly ok: true;
  readonly model: FlatModel;
  readonly diagnostics: readonly Diagnostic[];
  /** All files that were read. */
  readonly sources: readonly string[];
  /** Reading, instantiating and flattening. */
  readonly milliseconds: number;
}

export interface Refused extends Refusal {
  readonly ok: false;
}

export async function loadModel(args: Arguments, io: Io, core: Core, read?: Input): Promise<Loading> {
  const began = performance.now();
  const overrides = readOverrides(args.given.get('set') ?? []);
  const wrong = [...args.diagnostics, ...overrides.diagnostics];
  if (wrong.length > 0) return { ok: false, status: 2, diagnostics: wrong };
  const input = read ?? (await readInput(args, io));
  if (!input.ok) {
    const { diagnostics, usage } = input;
    return { ok: false, ...(usage ? { status: 2 } : { status: 1, stage: 'syntax' }), diagnostics };
  }
  const name = input.model;
  if (packageOf(input)) return { ok: false, status: 2, diagnostics: [noModelIn(input)] };
  try {
    const { builtIns, externals, files } = input;
    // Standard output is for results.
    const print = (line: string): void => io.err.write(`${line}\n`);
    const options = { builtIns, externals, files, print };
    const translation = core.translate(input.library, name, overrides.values, options);
    const { model } = translation;
    const typeOf = (variable: string): FlatVariable | undefined => {
      const plain = core.translate(input.library, name, [], options);
      return plain.model?.variables.find((one) => one.name === variable);
    };
    const diagnostics = translation.diagnostics.map((problem) => withValues(problem, typeOf));
    if (model) {
      const milliseconds = performance.now() - began;
      return { ok: true, model, diagnostics, sources: input.sources(), milliseconds };
    }
    return { ok: false, status: 1, model: name, stage: stageOf(diagnostics), diagnostics };
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const { stage, diagnostics } = failure;
    return { ok: false, status: 1, model: name, stage, diagnostics };
  }
}

/** The package that was named instead of a model. */
export function packageOf(input: Input): ClassEntity | undefined {
  const entity = input.ok ? classByName(input.library, input.model) : undefined;
  return entity?.definition.restriction === 'package' ? entity : undefined;
}

function noModelIn({ library, model }: ReadInput): Diagnostic {
  const entity = classByName(library, model)!;
  return error('no-model', `\`${model}\` is a package, not a model.`, {
    span: entity.span(entity.definition.name),
    hint: 'Name one of its models with `--model`.',
  });
}

/** Library files are read while classes are looked up, so their mistakes come late. */
function stageOf(diagnostics: readonly Diagnostic[]): Stage {
  const first = diagnostics.find((item) => item.severity === 'error');
  const syntax = ['syntax-error', 'unterminated', 'bad-character', 'end-name-mismatch'];
  return first && syntax.includes(first.code) ? 'syntax' : 'flatten';
}

/** A word that is no name of the model: what could be meant by it depends on what it is a value of. */
function withValues(problem: Diagnostic, typeOf: (variable: string) => FlatVariable | undefined): Diagnostic {
  const { code, span, hint, message } = problem;
  const { name: option = '', text = '' } = span?.source ?? {};
  const isText = code === 'unknown-name' || (code === 'type-mismatch' && message.includes(' is String but '));
  if (!isText || !option.startsWith('--set ') || !/^[A-Za-z]\w*$/.test(text)) return problem;
  const { type } = typeOf(option.slice('--set '.length).replace(/\.(start|fixed)$/, '')) ?? {};
  // What is spelt alike is rarely meant where a text is wanted.
  if (hint !== undefined && type !== 'String') return problem;
  if (type === 'Boolean' || option.endsWith('.fixed'))
    return { ...problem, hint: 'Write `true` or `false`.' };
  if (type === 'Real' || type === 'Integer') return { ...problem, hint: 'Write a number, or an expression.' };
  // Shells take quotes away.
  return { ...problem, hint: `If it is a text, write \`${option}='"${text}"'\`.` };
}

/** `NAME=VALUE` each; the value is a Modelica expression. */
function readOverrides(texts: readonly string[]): { values: Override[]; diagnostics: Diagnostic[] } {
  const values: Override[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const text of texts) {
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(0, equals)).trim();
    if (name === '') {
      const missing = equals === -1 ? 'value' : 'name';
      diagnostics.push(badOption(`\`--set ${text}\` has no ${missing}.`, 'Write `--set NAME=VALUE`.'));
      continue;
    }
    try {
      values.push(readOverride(name, text.slice(equals + 1), `--set ${name}`));
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      const reason = problem.diagnostics[0]?.message ?? 'it is empty';
      diagnostics.push(
        badOption(`The value in \`--set ${text}\` is not an expression: ${reason}.`.replace('..', '.')),
      );
    }
  }
  return { values, diagnostics };
}
