/**
 * Rules of the language, chapter by chapter of the specification 3.6: models that break one, each with what is said of it, beside models that come near and are
 * right. A case is three lines of `rules/chapter….txt`: the section and what it is about, the text, and `code: message` or `accepted`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { check, Failure, loadModel } from '../../src/index.ts';

const folder = new URL('rules/', import.meta.url);

/** What is said first of the last model of a text. */
function verdict(text: string): string {
  try {
    const { status, diagnostics } = check(loadModel(text));
    if (status !== 'failed') return 'accepted';
    const { code, message } = diagnostics.find(({ severity }) => severity === 'error')!;
    return `${code}: ${message}`;
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    const { code, message } = problem.diagnostics.find(({ severity }) => severity === 'error')!;
    return `${code}: ${message}`;
  }
}

for (const file of readdirSync(folder)) {
  const [title, ...lines] = readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean);
  const cases = Array.from({ length: lines.length / 3 }, (_, k) => lines.slice(3 * k, 3 * k + 3));
  describe(title!, () => {
    test.each(cases)('%s', (_, text, expected) => {
      expect(verdict(text!)).toBe(expected!.trim());
    });
  });
}
