/** Models in TypeScript with their Modelica text: asked for by a person, because the module is run for it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Generated } from './generate.ts';

/** A module that does not end within this time, in milliseconds, is given up. */
const PATIENCE = 20_000;

export const isProgram = (path: string): boolean => /\.(?:[cm]?js|[cm]?ts)$/.test(path);

/** The place of the import of this package, where a text has one: there a model may be defined. */
export function importOf(text: string): number | undefined {
  const found = /^\s*import\b[^;]*?\bfrom\s*['"]mutabor(?:\/\w+)?['"]/m.exec(text);
  return found ? found.index + found[0].search(/\S/) : undefined;
}

/** The models of a module as Modelica text. */
export function generate(path: string): Promise<Generated> {
  if (/ts$/.test(path) && !(process.features as { readonly typescript?: unknown }).typescript)
    return Promise.resolve({
      refused:
        'This version of Node runs no TypeScript. Compile the module to JavaScript, or use Node 22.18 or later.',
    });
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./generate.js', import.meta.url), {
      workerData: path,
      // Standard output is for the protocol.
      stdout: true,
      stderr: true,
    });
    const end = (result: Generated): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(result);
    };
    const timer = setTimeout(() => end({ refused: 'The module does not come to an end.' }), PATIENCE);
    worker.on('message', end);
    worker.on('error', (problem) =>
      end({ refused: problem instanceof Error ? problem.message : String(problem) }),
    );
    worker.on('exit', () => end({ refused: 'The module has ended its thread.' }));
  });
}

/** A file with a text, which an editor can show. */
export function written(path: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutabor-'));
  const file = join(folder, basename(path).replace(/\.\w+$/, '.mo'));
  writeFileSync(file, text);
  return file;
}
