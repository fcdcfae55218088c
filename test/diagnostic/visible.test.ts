/** Texts of anybody on a terminal: shown, not obeyed, and not for ever. */
import { expect, test } from 'vitest';
import { error } from '../../src/diagnostic/diagnostic.ts';
import { nearest } from '../../src/diagnostic/nearest.ts';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { Source } from '../../src/diagnostic/source.ts';
import { visible } from '../../src/diagnostic/visible.ts';
import { almostLinear, orderOf } from '../growth.ts';

test('control characters are written as numbers, lines and tabs stay', () => {
  expect(visible('a\u001b[31mb\u009bc\u202ed\n\te\r\nf\rg')).toBe(
    'a\\u001b[31mb\\u009bc\\u202ed\n\te\nf\\u000dg',
  );
  expect(visible('plain ä ∞ 日本')).toBe('plain ä ∞ 日本');
});

test('a message, its notes, its hint and the name of the file are shown so', () => {
  const source = new Source('bad\u001b.mo', 'model\n');
  const span = { source, start: 0, end: 5 };
  const text = renderDiagnostic(
    error('assertion', 'said \u001b]0;title\u0007', {
      span,
      hint: 'h\u001b',
      notes: [{ message: 'n\u001b' }],
    }),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text).toContain('said \\u001b]0;title\\u0007');
});

test('a message is cut, and of many notes some are kept', () => {
  const long = 'x'.repeat(5_000_000);
  const notes = Array.from({ length: 1000 }, (_, k) => ({ message: `${k} ${long}` }));
  const { message, hint, notes: kept } = error('unknown-name', long, { hint: long, notes });
  expect([message.length, hint!.length, kept.length]).toEqual([2000, 2000, 101]);
  expect(kept[0]!.message).toHaveLength(2000);
  expect(kept.at(-1)!.message).toBe('… and 900 more');
});

test('the nearest of many names is found, and hopeless ones cost little', () => {
  const variables = (n: number): string[] => Array.from({ length: n }, (_, k) => `variable${k}`);
  expect(nearest('resistence', [...variables(20_000), 'resistance'])).toBe('resistance');
  const hopeless = (n: number) => {
    const names = variables(n);
    return () => {
      for (let k = 0; k < 20; k++) expect(nearest(`other${k}thing`, names)).toBeUndefined();
    };
  };
  expect(orderOf(hopeless, 5000)).toBeLessThan(almostLinear);
});
