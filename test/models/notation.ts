/** Small notation for models that use the library: declarations and connections in, results out. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { HostFiles } from '../../src/cli/files.ts';
import { Library, loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';

export const folder = fileURLToPath(new URL('../../models', import.meta.url));

/** A library with package `Mutabor`, and the packages below the other folders. */
export function library(...others: readonly string[]): Library {
  const files = new HostFiles(folder);
  const roots = [...others, folder];
  for (const root of roots) files.allow(root);
  return new Library({ files, roots });
}

/** Simulates a model of the given elements; the classes of `Mutabor.<domain>` and `Blocks` are visible in it. It must succeed. */
export async function run(
  domain: string,
  elements: string,
  stopTime: number,
  {
    from = library(),
    startTime = 0,
    tolerance = 1e-8,
    audit = true,
  }: {
    readonly from?: Library;
    readonly startTime?: number;
    readonly tolerance?: number;
    readonly audit?: boolean;
  } = {},
): Promise<SimulationResult> {
  const text = `model Test
  import Mutabor.Blocks;
  import Mutabor.${domain}.*;
  ${elements}
end Test;`;
  const result = await simulate(loadModel(loadText(text, 'Test.mo', from), 'Test'), {
    startTime,
    stopTime,
    tolerance,
    audit,
  });
  expect(result.diagnostics.filter((d) => d.severity !== 'info')).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

/** Runs an example as its experiment says, or a model that extends it by more variables, modified. It must succeed. */
export async function example(
  name: string,
  more = '',
  {
    modified = '',
    stopTime,
    tolerance,
  }: { readonly modified?: string; readonly stopTime?: number; readonly tolerance?: number } = {},
): Promise<SimulationResult> {
  const text = readFileSync(new URL(`../../examples/${name}.mo`, import.meta.url), 'utf8');
  const extended = `${text}\nmodel Measured\n  extends ${name}${modified};\n  ${more}\nend Measured;`;
  const experiment = /experiment\(StopTime = ([\d.e-]+), Tolerance = ([\d.e-]+)\)/.exec(text)!;
  const model = loadModel(loadText(extended, `${name}.mo`, library()), more || modified ? 'Measured' : name);
  const result = await simulate(model, {
    stopTime: stopTime ?? Number(experiment[1]),
    tolerance: tolerance ?? Number(experiment[2]),
    audit: true,
  });
  expect(result.diagnostics).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

/** `close(table.value('x', 1), 2)`: equal to a relative 1e-6. */
export function close(actual: number, expected: number, relative = 1e-6): void {
  expect(Math.abs(actual - expected), `${actual} instead of ${expected}`).toBeLessThanOrEqual(
    relative * Math.max(1e-3, Math.abs(expected)),
  );
}

/** The weight of the impulse of a variable at an instant; 0 where there is none. */
export function impulse({ impulses }: SimulationResult, variable: string, time: number): number {
  const found = impulses.filter((item) => item.variable === variable && Math.abs(item.time - time) < 1e-6);
  return found.reduce((sum, item) => sum + item.weight, 0);
}

/** The instants between modes. */
export const instants = ({ modes }: SimulationResult): number[] => modes.slice(1).map((mode) => mode.from);

/** The numbers of states of the modes visited. */
export const states = ({ modes }: SimulationResult): number[] => modes.map((mode) => mode.states.length);
