/** Places in texts, and in texts that were composed of others. */
import { expect, test } from 'vitest';
import { error } from '../../src/diagnostic/diagnostic.ts';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { locate, Source } from '../../src/diagnostic/source.ts';

test('a text can begin at any line of a file', () => {
  const source = new Source('a.mjs', 'x = 1;\n  y = 2;', { line: 12 });
  expect(source.position(0)).toEqual({ line: 12, column: 1 });
  expect(source.position(9)).toEqual({ line: 13, column: 3 });
  expect([source.line(12), source.line(13), source.line(1), source.line(14)]).toEqual([
    'x = 1;',
    '  y = 2;',
    '',
    '',
  ]);
});

test('a place in a composed text is that in the text it was taken from', () => {
  const [first, second] = [new Source('a', '  x = 1;'), new Source('b', 'y = 2;', { line: 7 })];
  const text = 'model M\nx = 1;\ny = 2;\nend M;';
  const whole = new Source('M', text, {
    parts: [
      { start: 8, end: 14, source: first, offset: 2 },
      { start: 15, end: 21, source: second, offset: 0 },
    ],
  });
  const at = (start: number, end: number) => locate({ source: whole, start, end });
  expect(at(8, 9)).toEqual({ source: first, start: 2, end: 3 });
  expect(at(14, 14)).toEqual({ source: first, start: 8, end: 8 });
  expect(at(19, 20)).toEqual({ source: second, start: 4, end: 5 });
  // Between the parts, and over several of them, there is only the whole text.
  expect(at(0, 5).source).toBe(whole);
  expect(at(8, 21).source).toBe(whole);
  expect(at(text.length - 2, text.length).source).toBe(whole);
  const wrong = error('unknown-name', 'what is it?', { span: { source: whole, start: 15, end: 16 } });
  expect(renderDiagnostic(wrong)).toBe('b:7:1: error: what is it? [unknown-name]\n  7 | y = 2;\n    | ^');
});

test('a place in a program has no text to show', () => {
  const span = { source: new Source('a.mjs', '', { line: 5 }), start: 0, end: 0 };
  expect(renderDiagnostic(error('bad-binding', 'no.', { span, hint: 'yes' }))).toBe(
    'a.mjs:5:1: error: no. [bad-binding]\n  hint: yes',
  );
});
