/**
 * Models of JavaScript modules: `mutabor simulate filter.mjs`. The default export is the model; exported models give the classes their
 * names, and `--model` chooses one of them. Built-in components that a module exports can be named by Modelica text, and the functions of its export
 * `externals` compute external functions. TypeScript has to become JavaScript first, unless Node can do that itself.
 */
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuiltIn } from '../api/define.ts';
import { ModelData } from '../api/value.ts';
import type { BuiltIn } from '../builtin/component.ts';
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { suggestion } from '../diagnostic/nearest.ts';
import { capitalised } from '../diagnostic/words.ts';
import { type Externals, loadKinds } from '../load.ts';

/** What a module exports. */
export interface ModelModule {
  /** Models by the names of their classes. */
  readonly models: Readonly<Record<string, ModelData>>;
  /** The model that is meant where none is named; a module may export built-in components alone. */
  readonly main: string | undefined;
  readonly builtIns: readonly BuiltIn[];
  /** Implementations of external functions. */
  readonly externals: Externals;
}

export const isModule = (path: string): boolean => /\.(?:[cm]?js|[cm]?tsx?)$/.test(path);

/** Runs a module and finds its models; otherwise says why it cannot be used. */
export async function importModule(
  path: string,
  cwd: string,
  wanted: string | undefined,
): Promise<ModelModule | readonly Diagnostic[]> {
  if (/ts[x]?$/.test(path) && !readsTypeScript()) {
    const script = path.replace(/\.[cm]?tsx?$/, '.mjs');
    return [
      error('bad-option', `\`${path}\` is TypeScript, which this version of Node does not run.`, {
        hint: `Compile it to JavaScript first, with what it imports: \`npx esbuild ${path} --bundle --format=esm --external:mutabor "--external:mutabor/*" --outfile=${script}\`. Then name \`${script}\` where it exports a model, or run it with \`node ${script}\` where it is a program.`,
      }),
    ];
  }
  try {
    const url = pathToFileURL(resolve(cwd, path)).href;
    return modelsOf((await import(url)) as Readonly<Record<string, unknown>>, path, wanted);
  } catch (problem) {
    if (problem instanceof Failure) return problem.diagnostics;
    return [error('no-model', `\`${path}\` cannot be run: ${reason(problem)}`)];
  }
}

function modelsOf(
  exported: Readonly<Record<string, unknown>>,
  path: string,
  wanted: string | undefined,
): ModelModule | readonly Diagnostic[] {
  const models = Object.fromEntries(
    Object.entries(exported).filter(
      (entry): entry is [string, ModelData] => entry[0] !== 'default' && entry[1] instanceof ModelData,
    ),
  );
  const names = Object.keys(models);
  const main = exported.default ?? (names.length === 1 ? models[names[0]!] : undefined);
  const builtIns = Object.values(exported).filter(isBuiltIn);
  const { externals = {} } = exported;
  if (!isExternals(externals)) return [notFunctions(path)];
  const code = { builtIns, externals };
  if (wanted !== undefined && Object.hasOwn(models, wanted)) return { models, main: wanted, ...code };
  const isCode = builtIns.length > 0 || exported.externals !== undefined;
  if (main === undefined && isCode) return { models, main, ...code };
  if (!(main instanceof ModelData)) return [noModel(exported, names, path, wanted)];
  const name = names.find((one) => models[one] === main) ?? main.definition.name ?? nameOf(path, names);
  return { models: { ...models, [name]: main }, main: name, ...code };
}

const isExternals = (value: unknown): value is Externals => loadKinds.externals.is(value);

const notFunctions = (path: string): Diagnostic =>
  error('bad-option', `The export \`externals\` of \`${path}\` is not ${loadKinds.externals.what}.`, {
    hint: 'Write `export const externals = { name: (x) => … };`.',
  });

function noModel(
  exported: Readonly<Record<string, unknown>>,
  names: readonly string[],
  path: string,
  wanted: string | undefined,
): Diagnostic {
  if (wanted !== undefined) {
    const hint = suggestion(wanted, names) ?? `It exports ${names.join(', ') || 'no models'}.`;
    return error('no-model', `\`${path}\` exports no model \`${wanted}\`.`, { hint });
  }
  const { default: main } = exported;
  if (typeof main === 'object' && main !== null && 'definition' in main) {
    return error('no-model', `The model of \`${path}\` was made by another copy of Mutabor.`, {
      hint: 'Run the command that belongs to the package that the module imports: `npx mutabor` in its folder.',
    });
  }
  const message =
    typeof main === 'function'
      ? `The default export of \`${path}\` is a function, not a model.`
      : `\`${path}\` has no model as its default export.`;
  const hint =
    names.length > 0
      ? `Name one of its models with \`--model\`: ${names.join(', ')}.`
      : `Write \`export default Model({ … })\`, or run it with \`node ${path}\` where it is a program.`;
  return error('no-model', message, { hint });
}

/** A name for a model that has none: that of its file. */
function nameOf(path: string, taken: readonly string[]): string {
  const plain = basename(path)
    .replace(/\.\w+$/, '')
    .replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  const name = /^[A-Za-z_]/.test(plain) ? capitalised(plain) : `Model${plain}`;
  return taken.includes(name) ? `${name}Model` : name;
}

function readsTypeScript(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

function reason(problem: unknown): string {
  const message = problem instanceof Error ? problem.message : String(problem);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
