/** Any text at all: the parser ends, throws nothing, and points into the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { visible } from '../../src/diagnostic/visible.ts';
import { parse, parseExpression } from '../../src/syntax/parser.ts';
import { print } from '../../src/syntax/print.ts';
import { spelling } from '../../src/syntax/tokens.ts';
import { almostLinear, orderOf } from '../growth.ts';
import { storedDefinition } from './arbitrary.ts';
import { source } from './notation.ts';

function check(text: string): void {
  for (const { diagnostics } of [parse(source(text)), parseExpression(source(text))]) {
    let last = 0;
    for (const d of diagnostics) {
      const { start, end } = d.span!;
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThanOrEqual(start);
      expect(end).toBeLessThanOrEqual(text.length);
      expect(d.message).not.toMatch(/undefined|NaN/);
      expect(renderDiagnostic(d)).toContain(visible(d.message));
      last = start;
    }
  }
  // What was saved from a broken text is a whole tree, which can be printed.
  expect(() => print(parse(source(text)).definition)).not.toThrow();
}

const token = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...spelling.slice(5)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'b', 'Real', '1', '2.5', '"s"', 'equaton', 'modle', 'whn', "'q'"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\n', '//c\n', '/*', '"', "'", '\\', '§', '&', '1e', '\u0000', '\ufeff'),
  },
);

describe('never throws, never hangs, points into the text', () => {
  test('soup of tokens', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (words) => check(words.join(' '))),
      { numRuns: 2000, interruptAfterTimeLimit: 10_000 },
    );
  });

  test('soup of tokens in a class', () => {
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 40 }),
        fc.constantFrom('', 'equation', 'algorithm'),
        (words, section) => check(`model M\n${section}\n${words.join(' ')}\nend M;`),
      ),
      { numRuns: 2000, interruptAfterTimeLimit: 10_000 },
    );
  });

  test('any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => check(text)),
      { numRuns: 1000 },
    );
  });

  test('valid texts with tokens taken out, doubled, swapped or replaced', () => {
    const mutation = fc.record({
      place: fc.double({ min: 0, max: 1, noNaN: true }),
      how: fc.constantFrom('remove', 'double', 'swap', 'replace', 'cut'),
      token,
    });
    fc.assert(
      fc.property(storedDefinition, fc.array(mutation, { minLength: 1, maxLength: 3 }), (tree, mutations) => {
        let words = print(tree).split(/(?<=\W)(?=\w)|(?<=\w)(?=\W)/);
        for (const { place, how, token: other } of mutations) {
          const i = Math.floor(place * words.length);
          const word = words[i] ?? '';
          const next = words[i + 1] ?? '';
          if (how === 'remove') words.splice(i, 1);
          else if (how === 'double') words.splice(i, 0, word);
          else if (how === 'swap') words.splice(i, 2, next, word);
          else if (how === 'replace') words.splice(i, 1, other);
          else words = words.slice(0, i);
        }
        check(words.join(''));
      }),
      { numRuns: 500, interruptAfterTimeLimit: 10_000 },
    );
  });

  test.each([
    ['open brackets', '['],
    ['semicolons', ';'],
    ['ends', 'end '],
    ['end if', 'end if;'],
    ['classes', 'model A '],
    ['misspelt classes', 'modle A x '],
    ['broken equations', 'x = ;'],
    ['broken matrices', 'x = [1 2; '],
    ['misspelt words', 'paramter Real x y;\n'],
    ['strings', '"\n'],
    ['escaped quotes', '\\"\n'],
    ['comments', '/*'],
    ['quoted', "'\n"],
    ['annotations', 'annotation '],
    ['else', 'else if a then '],
    ['points', 'a.'],
    ['nulls', '\u0000 '],
  ])('half a megabyte of %s', (_, piece) => {
    const read = (length: number) => () => {
      for (const before of ['', 'model M equation ', 'model M ', 'model M algorithm ']) {
        const { diagnostics } = parse(source(before + piece.repeat(length / piece.length)));
        expect(diagnostics.length).toBeGreaterThan(0);
        expect(diagnostics.length).toBeLessThanOrEqual(201);
      }
    };
    read(500_000)();
    expect(orderOf(read, 30_000)).toBeLessThan(almostLinear);
  });
});
