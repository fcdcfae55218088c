/** Runs of one simulation object with random values: each gives, bit by bit, what it gives alone. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  instantiate,
  loadModel,
  loadText,
  type Merge,
  type MergeValue,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import { library as ownLibrary } from '../models/notation.ts';

/** What a run gives, without times and counts of work. */
function outcome({ status, stage, time, table, modes, impulses, diagnostics }: SimulationResult): object {
  return {
    status,
    stage,
    time,
    modes,
    impulses,
    rows: Array.from({ length: table.rowCount }, (_, k) => table.time[k]),
    signals: Object.fromEntries(table.names.map((name) => [name, table.get(name)])),
    diagnostics: diagnostics.filter((d) => d.code !== 'translated-again').map(({ message }) => message),
  };
}

/** Models with what a run could leave behind; the numbers are parameters that may be changed. */
const texts: Record<string, string> = Object.fromEntries(
  readdirSync(new URL('../../examples/', import.meta.url))
    .filter((name) => name.endsWith('.mo'))
    .map((name) => [
      name.replace('.mo', ''),
      readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'),
    ]),
);

const library = (text: string) => loadText(text, 'example.mo', ownLibrary());

describe.each(Object.keys(texts))('%s', (name) => {
  const text = texts[name]!;

  test('a run gives what it gives alone, whatever ran before', async () => {
    const simulation = instantiate(library(text));
    const changeable = simulation
      .parameters()
      .filter((p) => p.type === 'Real' && p.dims.length === 0 && !p.structural && p.declared !== undefined)
      .filter(({ name }) => !simulation.model.variables.find((v) => v.name === name)?.locked?.value);
    const factor = fc.constantFrom(0, 0.5, 0.9, 1.1, 1.3);
    const merges = fc.dictionary(fc.constantFrom(...changeable.map(({ name }) => name), 'none'), factor, {
      maxKeys: 3,
    });
    const values = (factors: Record<string, number>): Merge => {
      const entries = Object.entries(factors).flatMap(([name, by]): [string, MergeValue][] => {
        const parameter = changeable.find((p) => p.name === name);
        return parameter ? [[name, (parameter.value as number) * by]] : [];
      });
      return Object.fromEntries(entries);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(merges, { minLength: 2, maxLength: 3 }), async (series) => {
        for (const factors of series) {
          const merge = values(factors);
          const options = { intervals: 20 };
          const again = outcome(await simulation.simulate({ ...options, merge }));
          expect(again).toEqual(outcome(await instantiate(library(text)).simulate({ ...options, merge })));
          const flat = loadModel(library(text), undefined, merge as Record<string, number>);
          expect(again).toEqual(outcome(await simulate(flat, options)));
        }
      }),
      { numRuns: 12 },
    );
  });
});
