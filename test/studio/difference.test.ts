/** Which lines of two texts are shown as different. */
import { describe, expect, it } from 'vitest';
import { differentLines } from '../../src/studio/page/difference.ts';

const marked = (a: string, b: string): string[][] =>
  differentLines(a, b).map((lines) => lines.filter(({ differs }) => differs).map(({ text }) => text));

describe('lines that differ', () => {
  it('are those that only one of both texts has at its place', () => {
    expect(marked('a\nb\nc\n', 'a\nx\nc\n')).toEqual([['b\n'], ['x\n']]);
    expect(marked('a\nb\nc\nd\n', 'a\nc\ne\nd\n')).toEqual([['b\n'], ['e\n']]);
    expect(marked('a\na\n', 'a\n')).toEqual([['a\n'], []]);
    expect(marked('a\nb\n', 'a\nb\n')).toEqual([[], []]);
    expect(marked('', 'a\nb')).toEqual([[], ['a\n', 'b']]);
    // The end of the last line is a difference too.
    expect(marked('a\n', 'a')).toEqual([['a\n'], ['a']]);
  });

  it('are together with the others the whole texts, also of ones that are too large to compare', () => {
    const lines = (word: string): string => Array.from({ length: 2500 }, (_, k) => `${word}${k}\n`).join('');
    const [a, b] = [`same\n${lines('a')}end`, `same\n${lines('b')}end`];
    const told = differentLines(a, b);
    expect(told.map((all) => all.map(({ text }) => text).join(''))).toEqual([a, b]);
    for (const all of told) {
      expect(all.filter(({ differs }) => !differs).map(({ text }) => text)).toEqual(['same\n', 'end']);
    }
  });
});
