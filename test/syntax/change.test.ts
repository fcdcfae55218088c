import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedText, invertedChanges, type TextChange } from '../../src/syntax/change.ts';

const change = (from: number, to: number, insert: string): TextChange => ({ from, to, insert });

/** A text, and changes that fit it. */
const changedTexts = fc
  .tuple(fc.string({ maxLength: 30 }), fc.array(fc.tuple(fc.nat(30), fc.string({ maxLength: 4 }))))
  .map(([text, cuts]) => {
    const places = cuts.map(([at]) => Math.min(at, text.length)).sort((a, b) => a - b);
    const changes = cuts.flatMap(([, insert], k) =>
      k % 2 === 0 && k + 1 < places.length ? [change(places[k]!, places[k + 1]!, insert)] : [],
    );
    return { text, changes };
  });

describe('changes of a text', () => {
  test('replace, insert and remove', () => {
    expect(changedText('Real a, b;', [change(5, 6, 'x'), change(9, 9, ' = 1')])).toBe('Real x, b = 1;');
    expect(changedText('Real a, b;', [change(6, 9, '')])).toBe('Real a;');
    expect(changedText('', [change(0, 0, 'a'), change(0, 0, 'b')])).toBe('ab');
  });

  test('that overlap or lie outside are a bug', () => {
    expect(() => changedText('abc', [change(0, 2, ''), change(1, 3, '')])).toThrow(RangeError);
    expect(() => changedText('abc', [change(2, 4, '')])).toThrow(RangeError);
    expect(() => changedText('abc', [change(2, 1, '')])).toThrow(RangeError);
  });

  test('can be taken back', () => {
    fc.assert(
      fc.property(changedTexts, ({ text, changes }) => {
        expect(changedText(changedText(text, changes), invertedChanges(text, changes))).toBe(text);
      }),
    );
  });
});
