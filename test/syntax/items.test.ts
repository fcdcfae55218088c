/** Texts that are lists of equations, statements or declarations, without a class around them. */
import { expect, test } from 'vitest';
import { Source } from '../../src/diagnostic/source.ts';
import { parseItems } from '../../src/syntax/parser.ts';

const read = (kind: 'elements' | 'equations' | 'statements', text: string) => {
  const { items, diagnostics } = parseItems(kind, new Source('text', text));
  return { kinds: items.map((item) => item.kind), messages: diagnostics.map(({ message }) => message) };
};

test('items are separated by semicolons, and the last may be missing', () => {
  expect(read('equations', 'x = 1; when b then y = 2; end when')).toEqual({
    kinds: ['equal', 'when'],
    messages: [],
  });
  expect(read('equations', 'connect(a, b); f(x); // nothing more\n')).toEqual({
    kinds: ['connect', 'call'],
    messages: [],
  });
  expect(read('statements', 'x := 1; while x > 0 loop x := x - 1; end while;').kinds).toEqual([
    'assign',
    'while',
  ]);
  expect(read('elements', 'Real x; function f = sin; import A.B; extends C').kinds).toEqual([
    'component',
    'class',
    'import',
    'extends',
  ]);
  expect(read('equations', '')).toEqual({ kinds: [], messages: [] });
});

test('what is none of them is a mistake', () => {
  expect(read('equations', 'x = 1 y = 2;').messages).toEqual(['expected `;` after this equation, found `y`']);
  expect(read('equations', 'x := 1;').messages.length).toBe(1);
  expect(read('elements', 'x = 1;').messages.length).toBe(1);
  expect(read('equations', 'x = 1; end M;').messages.length).toBe(1);
  expect(read('equations', ';').messages.length).toBe(1);
});
