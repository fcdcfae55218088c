/** What `Modelica.Utilities.Strings` is made of. Characters are counted, not bytes, from 1. */
import type { Externals } from '../symbolic/foreign.ts';
import type { Surroundings } from './surroundings.ts';

type Box<T> = { value: T };

/** `Modelica.Utilities.Types.Compare`. */
const [LESS, EQUAL, GREATER] = [1, 2, 3];
/** Numbers with more characters are none. */
const longestNumber = 100;
const largestInteger = 2 ** 31 - 1;

export const strings = ({ print }: Pick<Surroundings, 'print'>): Externals => ({
  ModelicaStrings_length: (text: string) => charactersOf(text).length,

  ModelicaStrings_substring: (text: string, start: number, end: number) => {
    if (start < 1) print(`Strings.substring: the first character is number 1, not ${start}; 1 is taken`);
    const first = Math.max(1, start);
    if (end < 0) print(`Strings.substring: the last character is number ${end}; ${first} is taken`);
    const last = end < 0 ? first : end;
    return part(charactersOf(text), first, last + 1);
  },

  ModelicaStrings_compare: (one: string, other: string, caseSensitive: boolean) => {
    const [a, b] = caseSensitive ? [one, other] : [lowered(one), lowered(other)];
    return a < b ? LESS : a > b ? GREATER : EQUAL;
  },

  /** A. Partow's hash of the bytes, as an Integer with a sign. */
  ModelicaStrings_hashString: (text: string) => {
    let hash = 0xaaaaaaaa;
    for (const [k, byte] of new TextEncoder().encode(text).entries())
      hash ^=
        k % 2 === 0 ? (hash << 7) ^ Math.imul(byte, hash >>> 3) : ~((hash << 11) + (byte ^ (hash >>> 5)));
    return hash | 0;
  },

  ModelicaStrings_skipWhiteSpace: (text: string, start: number) => skipped(charactersOf(text), start),

  ModelicaStrings_scanReal: (
    text: string,
    start: number,
    unsigned: boolean,
    next: Box<number>,
    number: Box<number>,
  ) =>
    scanned(
      text,
      start,
      unsigned ? /^(\d*\.?\d*)([eE][+-]?\d*)?/ : /^[+-]?\d*\.?\d*([eE][+-]?\d*)?/,
      next,
      (word) => {
        const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word) && word.length < longestNumber;
        number.value = isNumber ? Number(word) : 0;
        return isNumber;
      },
    ),

  ModelicaStrings_scanInteger: (
    text: string,
    start: number,
    unsigned: boolean,
    next: Box<number>,
    number: Box<number>,
  ) =>
    // What goes on as a Real is no Integer.
    scanned(text, start, unsigned ? /^\d+(?![\d.eE])/ : /^[+-]?\d+(?![\d.eE])/, next, (word) => {
      const isNumber = word !== '' && Math.abs(Number(word)) <= largestInteger;
      number.value = isNumber ? Number(word) : 0;
      return isNumber;
    }),

  ModelicaStrings_scanString: (text: string, start: number, next: Box<number>, found: Box<string>) =>
    scanned(text, start, /^"(\\"|[^"])*"/s, next, (word) => {
      found.value = word.slice(1, -1);
      return word !== '';
    }),

  ModelicaStrings_scanIdentifier: (text: string, start: number, next: Box<number>, found: Box<string>) =>
    scanned(text, start, /^[A-Za-z][A-Za-z0-9_]*/, next, (word) => {
      found.value = word;
      return word !== '';
    }),
});

/** Looks for a word after white space, and where it ends. Where it is none, the next index is the first one. */
function scanned(
  text: string,
  start: number,
  pattern: RegExp,
  next: Box<number>,
  take: (word: string) => boolean,
): void {
  if (start < 1) throw new Error(`the first character of a text is number 1, not ${start}`);
  const characters = charactersOf(text);
  const begin = skipped(characters, start);
  const word = pattern.exec(part(characters, begin, characters.length + 1))?.[0] ?? '';
  next.value = take(word) ? begin + charactersOf(word).length : start;
}

function skipped(characters: Characters, start: number): number {
  let k = Math.max(1, start);
  while (k <= characters.length && /[ \t\n\v\f\r]/.test(characters[k - 1]!)) k++;
  return k;
}

/** A text as a list of characters, itself where each is one unit. */
type Characters = string | readonly string[];

const charactersOf = (text: string): Characters => (/[\uD800-\uDFFF]/.test(text) ? [...text] : text);

/** From one character to the one before another, counted from 1. */
const part = (characters: Characters, from: number, to: number): string => {
  const found = characters.slice(from - 1, Math.max(from, to) - 1);
  return typeof found === 'string' ? found : found.join('');
};

const lowered = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
