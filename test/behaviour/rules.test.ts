/**
 * Rules of the language, chapter by chapter of the specification 3.6: models that break one, each with what is said of it, beside models that come near and are
 * right. A case is three lines of `rules/chapter….txt`: the section and what it is about, the text, and `code: message` or `accepted`, which may go on with the values that
 * variables have after 1.5 s, by hand, and with the first warning: `accepted: x = 2, y = 3; bad-binding: …`. What is printed of such a model has the same results.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  check,
  type Diagnostic,
  Failure,
  loadModel,
  type SimulationResult,
  simulate,
} from '../../src/index.ts';
import { loadText, modelIn, translate } from '../../src/load.ts';
import { sameWhenPrinted } from './printed.ts';

const folder = new URL('rules/', import.meta.url);
const stopTime = 1.5;

interface Verdict {
  readonly said: string;
  readonly warned: string | undefined;
  readonly result?: SimulationResult;
}

/** What is said first of the last model of a text, when it is checked and then run for a while. */
async function verdict(text: string): Promise<Verdict> {
  try {
    const library = loadText(text);
    const { diagnostics: before } = translate(library, modelIn(library));
    const model = loadModel(text);
    const checked = check(model);
    if (checked.status === 'failed') return { said: first(checked.diagnostics, 'error')!, warned: undefined };
    const result = await simulate(model, { stopTime });
    const warned = first([...before, ...result.diagnostics], 'warning');
    if (result.status === 'failed') return { said: first(result.diagnostics, 'error')!, warned };
    return { said: 'accepted', warned, result };
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    return { said: first(problem.diagnostics, 'error')!, warned: undefined };
  }
}

function first(diagnostics: readonly Diagnostic[], wanted: Diagnostic['severity']): string | undefined {
  const found = diagnostics.find(({ severity }) => severity === wanted);
  return found && `${found.code}: ${found.message}`;
}

/** `x = 2, y = 3; code: message`. */
async function agrees(text: string, { said, warned, result }: Verdict, details: string): Promise<void> {
  expect(said).toBe('accepted');
  const [values = '', warning] = details.split(/; (?=[a-z-]+: )/);
  for (const [, name, value] of values.matchAll(/(\S+) = ([^,]+)/g)) {
    const found = result!.table.value(name!, stopTime);
    expect(found, `${name} = ${found}`).toBeCloseTo(Number(value), 5);
  }
  expect(warned).toBe(warning);
  await sameWhenPrinted(text, stopTime);
}

for (const file of readdirSync(folder)) {
  const [title, ...lines] = readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean);
  const cases = Array.from({ length: lines.length / 3 }, (_, k) => lines.slice(3 * k, 3 * k + 3));
  describe(title!, () => {
    test.each(cases)('%s', async (_, text, expected) => {
      const found = await verdict(text!);
      const details = /^accepted: (.*)/.exec(expected!.trim());
      if (details) await agrees(text!, found, details[1]!);
      else expect(found.said).toBe(expected!.trim());
    });
  });
}
