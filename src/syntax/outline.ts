/**
 * Where the classes of a text, and annotations, begin and end, found without reading what is in them. Of a file of a library a model uses a few classes; the others are
 * passed over (`lazy.ts`). Only strings, comments and the words that open and close classes are looked at, by a regular expression that the engine runs
 * as machine code: some thirty times as fast as reading.
 *
 * A class is open from its name to the `end` with its name. Where they do not fit each other there is no outline, and the text is read as it is.
 */
import { keywords } from './tokens.ts';

/** The text between the name of a class and its `end`, and the same for the classes directly in it. */
export interface Outline {
  readonly start: number;
  readonly end: number;
  readonly inner: readonly Outline[];
}

interface OpenClass {
  readonly name: string;
  readonly start: number;
  readonly inner: Outline[];
}

const reserved = new Set(keywords);

/** The outermost classes of a text; undefined where there is something wrong with their ends. */
export function outline(text: string): readonly Outline[] | undefined {
  const marks = /["']|\/[/*]|\b(?:end|block|class|connector|function|model|operator|package|record|type)\b/g;
  const outermost: Outline[] = [];
  const open: OpenClass[] = [];
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const { 0: word, index: at } = mark;
    if (word === 'end') {
      const name = wordAfter(text, marks.lastIndex);
      if (!name || reserved.has(name.text)) continue;
      const last = open.pop();
      if (last?.name !== name.text) return undefined;
      (open.at(-1)?.inner ?? outermost).push({ start: last.start, end: at, inner: last.inner });
      marks.lastIndex = name.end;
    } else if (word.length > 2) {
      const opened = openedBy(word, text, marks.lastIndex);
      if (!opened) continue;
      open.push({ name: opened.text, start: opened.end, inner: [] });
      marks.lastIndex = opened.end;
    } else {
      const end = behind(word, text, at);
      if (end === 0) return undefined;
      marks.lastIndex = end;
    }
  }
  return open.length === 0 ? outermost : undefined;
}

/** Behind the `)` that closes the `(` after a word that ends at `pos`; 0 where there is none. */
export function argumentsEnd(text: string, pos: number): number {
  const marks = /["'()]|\/[/*]/g;
  marks.lastIndex = blanksEnd(text, pos);
  if (text.charAt(marks.lastIndex) !== '(') return 0;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const word = mark[0];
    if (word === '(') depth++;
    else if (word === ')') {
      if (--depth === 0) return marks.lastIndex;
    } else {
      marks.lastIndex = behind(word, text, mark.index);
      if (marks.lastIndex === 0) return 0;
    }
  }
  return 0;
}

interface Word {
  readonly text: string;
  readonly end: number;
}

/** The name of the class that has an `end` where a word such as `model` stands before `pos`; none for `model A = B`, `operator record` and `f(function g(…))`. */
function openedBy(word: string, text: string, pos: number): Word | undefined {
  const first = wordAfter(text, pos);
  if (first?.text === 'extends') {
    const name = wordAfter(text, first.end);
    return name && !reserved.has(name.text) ? name : undefined;
  }
  if (!first || reserved.has(first.text)) return undefined;
  const next = text.charAt(blanksEnd(text, first.end));
  return next === '=' || (word === 'function' && '(.,)'.includes(next)) ? undefined : first;
}

const blanks = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*|'(?:[^'\\\r\n]|\\.)*'/y;
const lineBreak = /[\r\n]/g;

function blanksEnd(text: string, pos: number): number {
  blanks.lastIndex = pos;
  blanks.test(text);
  return blanks.lastIndex;
}

function wordAfter(text: string, pos: number): Word | undefined {
  identifier.lastIndex = blanksEnd(text, pos);
  const found = identifier.exec(text);
  return found ? { text: found[0], end: identifier.lastIndex } : undefined;
}

function lineEnd(text: string, pos: number): number {
  lineBreak.lastIndex = pos;
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length;
}

/** Behind the string, quoted identifier or comment that a mark opens; 0 where it has no end, or is none (`x .// y`). */
function behind(mark: string, text: string, start: number): number {
  switch (mark) {
    case '"':
      return stringEnd(text, start);
    case "'":
      identifier.lastIndex = start;
      return identifier.test(text) ? identifier.lastIndex : 0;
    default: {
      if (text.charAt(start - 1) === '.') return 0;
      if (mark === '//') return lineEnd(text, start);
      const end = text.indexOf('*/', start + 2);
      return end < 0 ? 0 : end + 2;
    }
  }
}

function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return 0;
}
