/** The page of diagnostics and the catalogue of codes say the same, code by code. */
import { expect, test } from 'vitest';
import { diagnosticCodes } from '../../src/diagnostic/codes.ts';
import { readPages } from './pages.ts';

const page = readPages().find(({ path }) => path === 'docs/reference/diagnostics.md')!;

/** Sections by code: what stands below its heading. */
const sections = new Map(
  page.text
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0]!.replaceAll('`', ''), section]),
);

test('every code has its section, in the order of the catalogue', () => {
  expect([...sections.keys()]).toEqual(Object.keys(diagnosticCodes));
});

test.each(Object.entries(diagnosticCodes))('the section of %s begins with its meaning', (code, meaning) => {
  expect(sections.get(code)!.split('\n').slice(1).join('\n').trimStart()).toMatch(
    new RegExp(`^${meaning.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
  );
});

test.each(Object.keys(diagnosticCodes))(
  'the section of %s shows an example, or says why there is none',
  (code) => {
    const section = sections.get(code)!;
    expect(section.includes(`[${code}]`) || section.includes('There is no example')).toBe(true);
  },
);
