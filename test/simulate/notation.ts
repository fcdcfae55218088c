/** Small notation for simulations: Modelica text in, results out. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  loadModel,
  loadText,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import { audited } from '../audited.ts';

/** Simulates the last model of a text, under audit; `options.set` are overrides. A test that switches the audit off says why. */
export async function run(
  text: string,
  options: SimulateOptions & {
    readonly model?: string;
    readonly set?: Record<string, number | string | boolean>;
  } = {},
): Promise<SimulationResult> {
  const { model, set, ...rest } = options;
  const flat = loadModel(loadText(text), model ?? lastModel(text), set);
  return audited(await simulate(flat, { tolerance: 1e-8, audit: true, ...rest }));
}

/** As `run`, of a run that must succeed. */
export async function done(text: string, options: Parameters<typeof run>[1] = {}): Promise<SimulationResult> {
  const result = await run(text, options);
  expect(result.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

/** The text of an example. */
export function example(name: string): string {
  return readFileSync(new URL(`../../examples/${name}.mo`, import.meta.url), 'utf8');
}

export function close(actual: number, expected: number, relative = 1e-6): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(relative * Math.max(1e-3, Math.abs(expected)));
}

/** Name of the last class that ends in the text. */
function lastModel(text: string): string {
  const names = [...text.matchAll(/^\s*(?:partial\s+)?(?:model|block|class)\s+(\w+)/gm)];
  const packages = [...text.matchAll(/^package\s+(\w+)/gm)];
  const name = names[names.length - 1]![1]!;
  return packages.length > 0 ? `${packages[0]![1]}.${name}` : name;
}
