/**
 * The lexer: text to tokens (Modelica 3.6, A.1), all at once into typed arrays, so that the parser can look ahead and step back
 * at no cost and no token is ever an object. Comments are not tokens; they are kept beside them in order. Mistakes inside
 * a token are reported here and repaired as far as the intention is clear, so that the parser does not stumble again.
 */

import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { type Fix, replaced } from '../diagnostic/fix.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Source } from '../diagnostic/source.ts';
import type { Trivia } from './ast.ts';
import { argumentsEnd } from './outline.ts';
import { T } from './tokens.ts';
import { Words } from './words.ts';

/** Token `i` is of kind `kind[i]` and lies at `start[i]` to `end[i]`; the last one is `T.end_of_text`. */
export interface Tokens {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Identifiers: the number of the text in `words`. Strings: 1 if there is an escape sequence in it, else 0. Annotations: `WHOLE` where they are one token. */
  readonly extra: Int32Array;
  readonly words: Words;
  readonly comments: readonly Trivia[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A piece of a text. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * The tokens of a text, or of a part of it that begins and ends with a token. Where there are `gaps`, which lie in it in order, their tokens are left out, and an
 * annotation is one token.
 */
export function tokenize(
  source: Source,
  { start, end }: Piece = { start: 0, end: source.text.length },
  gaps?: readonly Piece[],
): Tokens {
  const length = (gaps ?? []).reduce((rest, gap) => rest - (gap.end - gap.start), end - start);
  return new Lexer(source, length, gaps !== undefined).run(start, end, gaps ?? []);
}

/** The `extra` of an annotation that is one token. */
export const WHOLE = -1;

/** No more than this many mistakes are reported, lest a binary file fill the screen. */
const MAX_DIAGNOSTICS = 100;

const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const STAR = 0x2a;
const POINT = 0x2e;

/** What a token that begins with a given character can be. */
const BAD = 0;
const SPACE = 1;
const LETTER = 2;
const DIGIT = 3;
const SIGN = 4;
const STRING = 5;
const QUOTED = 6;

const characterClass = new Uint8Array(128);
const isWordCharacter = new Uint8Array(128);
const fill = (characters: string, kind: number): void => {
  for (const c of characters) characterClass[c.charCodeAt(0)] = kind;
};
fill(' \t\r\n\f\v', SPACE);
fill('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_', LETTER);
fill('0123456789', DIGIT);
fill('()[]{},;:.=+-*/^<>!&|~', SIGN);
fill('"', STRING);
fill("'", QUOTED);
for (let c = 0; c < 128; c++) {
  if (characterClass[c] === LETTER || characterClass[c] === DIGIT) isWordCharacter[c] = 1;
}

/** Signs of one character, and which of them never begin a longer one; signs of two characters `cd` at `128 * c + d`. */
const singleSign = new Uint8Array(128);
const pairSign = new Uint8Array(128 * 128);
const isAlone = new Uint8Array(128);
for (const [sign, kind] of Object.entries(T)) {
  const [c, d] = [sign.charCodeAt(0), sign.charCodeAt(1)];
  if (characterClass[c] !== SIGN) continue;
  if (sign.length === 1) singleSign[c] = kind;
  else pairSign[128 * c + d] = kind;
}
for (const c of '()[]{},;+-^') isAlone[c.charCodeAt(0)] = 1;

/** Operators of other languages, with what is meant by them. */
const foreignSigns: Record<string, { kind: number; means: string }> = {
  '!=': { kind: T['<>'], means: '<>' },
  '~=': { kind: T['<>'], means: '<>' },
  '&&': { kind: T.and, means: 'and' },
  '||': { kind: T.or, means: 'or' },
  '**': { kind: T['^'], means: '^' },
  '!': { kind: T.not, means: 'not' },
};

/** What ends a string or a piece of it; after one without an end, the end of the line does too. */
const stringMarks = /["\\]/g;
const lineMarks = /["\\\r\n]/g;

class Lexer {
  private readonly text: string;
  private readonly comments: Trivia[] = [];
  private readonly diagnostics: Diagnostic[] = [];
  private readonly words = new Words();
  private count = 0;
  /** Set by a string without an end. Later ones then end with their line, so that the text is read but once. */
  private unbalanced = false;
  private kind: Uint8Array<ArrayBuffer>;
  private start: Int32Array<ArrayBuffer>;
  private end: Int32Array<ArrayBuffer>;
  private extra: Int32Array<ArrayBuffer>;

  constructor(
    private readonly source: Source,
    length: number,
    private readonly wholeAnnotations: boolean,
  ) {
    this.text = source.text;
    // Modelica text has some six characters to a token, with documentation many more.
    const capacity = (length >> 2) + 16;
    this.kind = new Uint8Array(capacity);
    this.start = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.extra = new Int32Array(capacity);
  }

  run(start: number, end: number, gaps: readonly Piece[]): Tokens {
    let pos = this.text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
    for (const gap of gaps) {
      this.read(pos, gap.start);
      pos = gap.end;
    }
    this.read(pos, end);
    this.push(T.end_of_text, end, end);
    const { count, kind, extra, words, comments, diagnostics } = this;
    return { count, kind, start: this.start, end: this.end, extra, words, comments, diagnostics };
  }

  private read(start: number, end: number): void {
    const { text } = this;
    let pos = start;
    while (pos < end) {
      pulse();
      const c = text.charCodeAt(pos);
      switch (c < 128 ? characterClass[c] : BAD) {
        case SPACE:
          pos++;
          break;
        case LETTER:
          pos = this.word(pos);
          break;
        case DIGIT:
          pos = this.number(pos);
          break;
        case SIGN:
          pos = isAlone[c] ? this.push(singleSign[c]!, pos, pos + 1) : this.sign(pos, c);
          break;
        case STRING:
          pos = this.string(pos);
          break;
        case QUOTED:
          pos = this.quotedIdentifier(pos);
          break;
        default:
          pos = this.badCharacters(pos);
      }
    }
  }

  private push(kind: number, start: number, end: number, extra = 0): number {
    const i = this.count;
    if (i === this.kind.length) this.grow();
    this.kind[i] = kind;
    this.start[i] = start;
    this.end[i] = end;
    this.extra[i] = extra;
    this.count = i + 1;
    return end;
  }

  private grow(): void {
    const capacity = 2 * this.kind.length;
    const larger = <A extends Uint8Array | Int32Array>(to: A, from: A): A => {
      to.set(from);
      return to;
    };
    this.kind = larger(new Uint8Array(capacity), this.kind);
    this.start = larger(new Int32Array(capacity), this.start);
    this.end = larger(new Int32Array(capacity), this.end);
    this.extra = larger(new Int32Array(capacity), this.extra);
  }

  private word(start: number): number {
    const { text, words } = this;
    let pos = start + 1;
    for (let c = text.charCodeAt(pos); c < 128 && isWordCharacter[c]; c = text.charCodeAt(++pos));
    const word = words.intern(text, start, pos);
    const keyword = words.keywordKind(word);
    const end = keyword === T.annotation && this.wholeAnnotations ? argumentsEnd(text, pos) : 0;
    if (end > 0) return this.push(T.annotation, start, end, WHOLE);
    return this.push(keyword || T.identifier, start, pos, word);
  }

  private quotedIdentifier(start: number): number {
    const { text } = this;
    let pos = start + 1;
    for (;;) {
      const c = text.charCodeAt(pos);
      if (c === APOSTROPHE) {
        pos++;
        break;
      }
      if (!(c >= 32)) {
        this.error(
          'unterminated',
          'this quoted identifier is not closed',
          start,
          pos,
          "put a `'` at its end",
        );
        break;
      }
      if (c === BACKSLASH) {
        this.checkEscape(pos);
        pos += text.charCodeAt(pos + 1) >= 32 ? 2 : 1;
      } else {
        if (c > 126) {
          const message = `the character ${quote(text, pos)} cannot stand in an identifier`;
          this.error('bad-character', message, pos, pos + 1);
        }
        pos++;
      }
    }
    return this.push(T.identifier, start, pos, this.words.intern(text, start, pos));
  }

  private string(start: number): number {
    const { text } = this;
    let escaped = 0;
    let pos = start + 1;
    const marks = this.unbalanced ? lineMarks : stringMarks;
    for (;;) {
      marks.lastIndex = pos;
      if (!marks.test(text)) {
        pos = text.length;
        break;
      }
      pos = marks.lastIndex - 1;
      const c = text.charCodeAt(pos);
      if (c === QUOTE) return this.push(T.string, start, pos + 1, escaped);
      if (c !== BACKSLASH) break;
      escaped = 1;
      pos += 2;
      this.checkEscape(pos - 2);
    }
    // The closing quote is missing somewhere; the end of the line is where it most often belongs.
    this.unbalanced = true;
    const lineBreak = text.slice(start, pos).search(/[\r\n]/);
    const end = lineBreak < 0 ? Math.min(pos, text.length) : start + lineBreak;
    this.error('unterminated', 'this string is not closed', start, end, 'put a `"` at its end');
    return this.push(T.string, start, end, escaped);
  }

  private checkEscape(pos: number): void {
    const next = this.text.charAt(pos + 1);
    if (next !== '' && !'\'"?\\abfnrtv'.includes(next)) {
      const hint = 'write `\\\\` for a backslash';
      this.error('syntax-error', `there is no escape sequence \`\\${next}\``, pos, pos + 2, hint);
    }
  }

  /** A number from its first digit, or from the point of `.5`. */
  private number(start: number): number {
    const { text } = this;
    let pos = this.digits(start);
    let kind: number = T.integer;
    if (text.charCodeAt(pos) === 0x2e) {
      kind = T.real;
      pos = this.digits(pos + 1);
    }
    if ((text.charCodeAt(pos) | 0x20) === 0x65) {
      const sign = text.charCodeAt(pos + 1);
      const exponent = sign === 0x2b || sign === 0x2d ? pos + 2 : pos + 1;
      const end = this.digits(exponent);
      if (end > exponent) {
        kind = T.real;
        pos = end;
      }
    }
    const c = text.charCodeAt(pos);
    return c < 128 && isWordCharacter[c] ? this.badNumber(kind, start, pos) : this.push(kind, start, pos);
  }

  /** A number that runs into letters, such as `2x` or `1e`: one message, and the letters are dropped. */
  private badNumber(kind: number, start: number, end: number): number {
    const { text } = this;
    let pos = end;
    while (isWordCharacter[text.charCodeAt(pos)]) pos++;
    const letters = text.slice(end, pos);
    const hint = /^[eE]$/.test(letters)
      ? 'the exponent needs digits'
      : `write \`${text.slice(start, end)}*${letters}\` for a product`;
    const place = { source: this.source, start, end: pos };
    const fix = hint.startsWith('write')
      ? replaced(place, `${text.slice(start, end)}*${letters}`)
      : undefined;
    this.error('syntax-error', `\`${text.slice(start, pos)}\` is not a number`, start, pos, hint, fix);
    return this.push(kind, start, end) + letters.length;
  }

  private digits(pos: number): number {
    for (;;) {
      const c = this.text.charCodeAt(pos);
      if (!(c >= 0x30 && c <= 0x39)) return pos;
      pos++;
    }
  }

  private sign(pos: number, c: number): number {
    const next = this.text.charCodeAt(pos + 1);
    const pair = next < 128 ? pairSign[128 * c + next]! : 0;
    if (pair !== 0) return this.push(pair, pos, pos + 2);
    if (c === SLASH && (next === SLASH || next === STAR)) return this.comment(pos, next);
    // `.5` is a number since Modelica 3.6.
    if (c === POINT && characterClass[next] === DIGIT) return this.number(pos);
    const single = singleSign[c]!;
    return single === 0 || (c === STAR && next === STAR)
      ? this.foreignSign(pos)
      : this.push(single, pos, pos + 1);
  }

  private foreignSign(pos: number): number {
    const { text } = this;
    for (const length of [2, 1]) {
      const written = text.slice(pos, pos + length);
      const sign = foreignSigns[written];
      if (sign) {
        const message = `\`${written}\` is not an operator of Modelica`;
        const place = { source: this.source, start: pos, end: pos + length };
        const fix = replaced(place, /^\w/.test(sign.means) ? ` ${sign.means} ` : sign.means);
        this.error('syntax-error', message, pos, pos + length, `write \`${sign.means}\``, fix);
        return this.push(sign.kind, pos, pos + length);
      }
    }
    return this.badCharacters(pos);
  }

  private comment(start: number, second: number): number {
    const { text } = this;
    let end: number;
    if (second === 0x2f) {
      end = start + 2;
      for (;;) {
        const c = text.charCodeAt(end);
        if (c === 10 || c === 13 || !(c >= 0)) break;
        end++;
      }
    } else {
      end = text.indexOf('*/', start + 2) + 2;
      if (end < 2) {
        end = text.length;
        this.error('unterminated', 'this comment is not closed', start, start + 2, 'put `*/` at its end');
      }
    }
    this.comments.push({ start, end, text: text.slice(start, end) });
    return end;
  }

  /** Reports a run of characters that cannot begin a token, and passes over it. */
  private badCharacters(start: number): number {
    const { text } = this;
    const isBad = (pos: number): boolean => {
      const c = text.charCodeAt(pos);
      return c >= 128 || (c >= 0 && characterClass[c] === BAD);
    };
    let pos = start + 1;
    while (isBad(pos)) pos++;
    const isSpace = /^\s+$/.test(text.slice(start, pos));
    const message = isSpace
      ? 'this space is not the plain space character'
      : `the character ${quote(text, start)} cannot stand here`;
    const hint = isSpace ? 'replace it by a plain space' : undefined;
    const fix = replaced({ source: this.source, start, end: pos }, ' ', 'Write a plain space');
    this.error('bad-character', message, start, pos, hint, isSpace ? fix : undefined);
    return pos;
  }

  private error(
    code: 'syntax-error' | 'unterminated' | 'bad-character',
    message: string,
    start: number,
    end: number,
    hint?: string,
    fix?: Fix,
  ): void {
    if (this.diagnostics.length >= MAX_DIAGNOSTICS) return;
    const { source } = this;
    const span = { source, start, end: Math.min(end, source.text.length) };
    this.diagnostics.push(error(code, message, { span, hint, fix }));
  }
}

/** A character for a message: itself if it can be seen, its number otherwise. */
function quote(text: string, pos: number): string {
  const code = text.codePointAt(pos)!;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const visible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(code));
  return visible ? `\`${String.fromCodePoint(code)}\`` : number;
}
