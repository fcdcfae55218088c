/**
 * The thread that writes a model of a JavaScript or TypeScript module as Modelica: the module is run, in its own copy of this package where it has one, because a model belongs to the copy
 * that made it.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

/** The text of the models of a module, or why there is none. */
export type Generated = { readonly text: string } | { readonly refused: string };

type ToModelica = (models: Readonly<Record<string, unknown>>) => string;

async function generated(path: string): Promise<Generated> {
  const exported = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  const named = Object.entries(exported).filter(([name, value]) => name !== 'default' && isModel(value));
  const models = Object.fromEntries(named);
  const main = exported.default;
  if (isModel(main) && !Object.values(models).includes(main)) models[nameOf(path, main)] = main;
  if (Object.keys(models).length === 0) return { refused: 'The module exports no model.' };
  const toModelica = await functionFor(path);
  return { text: toModelica(models) };
}

const isModel = (value: unknown): value is { readonly definition: { readonly name?: string } } =>
  typeof value === 'object' && value !== null && 'definition' in value && 'attributes' in value;

function nameOf(path: string, { definition }: { readonly definition: { readonly name?: string } }): string {
  const file = path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  return definition.name ?? (/^[A-Za-z_]\w*$/.test(file) ? file : 'Model');
}

/** `toModelica` of the copy that the module imports. */
async function functionFor(path: string): Promise<ToModelica> {
  const own = (await import('../../index.ts')) as { readonly toModelica: unknown };
  try {
    const there = createRequire(path).resolve('mutabor');
    const other = (await import(pathToFileURL(there).href)) as { readonly toModelica: unknown };
    return other.toModelica as ToModelica;
  } catch {
    return own.toModelica as ToModelica;
  }
}

const answer = (result: Generated): void => parentPort!.postMessage(result);

generated(workerData as string).then(answer, (problem: unknown) =>
  answer({ refused: problem instanceof Error ? problem.message : String(problem) }),
);
