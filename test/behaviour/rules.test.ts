/**
 * Rules of the language, chapter by chapter of the specification 3.6: models that break one, each with what is said of it, beside models that come near and are
 * right. A case is three lines of `rules/chapter….txt`: the section and what it is about, the text, and `code: message` or `accepted`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { check, type Diagnostic, Failure, loadModel, simulate } from '../../src/index.ts';

const folder = new URL('rules/', import.meta.url);

/** What is said first of the last model of a text, when it is checked and then run for a while. */
async function verdict(text: string): Promise<string> {
  try {
    const model = loadModel(text);
    const checked = check(model);
    if (checked.status === 'failed') return firstError(checked.diagnostics);
    const { status, diagnostics } = await simulate(model, { stopTime: 1.5 });
    return status === 'failed' ? firstError(diagnostics) : 'accepted';
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    return firstError(problem.diagnostics);
  }
}

function firstError(diagnostics: readonly Diagnostic[]): string {
  const { code, message } = diagnostics.find(({ severity }) => severity === 'error')!;
  return `${code}: ${message}`;
}

for (const file of readdirSync(folder)) {
  const [title, ...lines] = readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean);
  const cases = Array.from({ length: lines.length / 3 }, (_, k) => lines.slice(3 * k, 3 * k + 3));
  describe(title!, () => {
    test.each(cases)('%s', async (_, text, expected) => {
      expect(await verdict(text!)).toBe(expected!.trim());
    });
  });
}
