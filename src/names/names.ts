/**
 * Names such as `a.b[2].'c d'`, read and written. Brackets and dots inside of quotes belong to the name. A signal is a scalar; those whose names differ in their subscripts only are the elements of one
 * array, whose name has no subscripts:
 *
 *     T[3]          element [3] of T
 *     c[3].T[1,2]   element [3,1,2] of c.T
 *     der(x[2])     element [2] of der(x)
 *
 * A part of an array is written with ranges, as in Modelica: `T[2:4]`, `T[:]`, `T[3:end]`, `T[1:2:9]`, `c[2].T[:,1]`, and
 * also `c.T[2,:,1]`. Subscripts that are left out at the end mean everything.
 */

/** Indices from `from` to `to` in steps; `to` is infinite where the end of the array is meant. */
export interface Subscript {
  readonly from: number;
  readonly step: number;
  readonly to: number;
  /** A single index: its dimension is dropped. */
  readonly single: boolean;
}

export interface Reference {
  readonly array: string;
  readonly subscripts: readonly Subscript[];
}

/** The array and the part of it that a text means; undefined where some bracket holds no subscripts. */
export function parseReference(text: string): Reference | undefined {
  const cut = cutName(text);
  if (!cut) return undefined;
  const subscripts: Subscript[] = [];
  for (const bracket of cut.brackets) {
    for (const part of bracket.split(',')) {
      const subscript = parseSubscript(part.trim());
      if (!subscript) return undefined;
      subscripts.push(subscript);
    }
  }
  return { array: cut.texts.join(''), subscripts };
}

/** A text cut at its brackets: `c[3].T[1,2]` into `c`, `.T` and an empty text, with `3` and `1,2` in between. */
export interface CutName {
  readonly texts: readonly string[];
  readonly brackets: readonly string[];
}

/** Undefined where a bracket is not closed. */
export function cutName(text: string): CutName | undefined {
  const texts: string[] = [];
  const brackets: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "'") i = endOfQuoted(text, i);
    if (text[i] !== '[') continue;
    const close = text.indexOf(']', i);
    if (close < 0) return undefined;
    texts.push(text.slice(from, i));
    brackets.push(text.slice(i + 1, close));
    from = close + 1;
    i = close;
  }
  texts.push(text.slice(from));
  return { texts, brackets };
}

/** An element by its indices. */
export interface ElementName {
  readonly array: string;
  readonly indices: readonly number[];
}

/** What element of what array a name is; undefined for other names. */
export function elementOf(name: string): ElementName | undefined {
  if (!name.includes('[')) return undefined;
  const reference = parseReference(name);
  if (!reference || reference.subscripts.length === 0) return undefined;
  if (!reference.subscripts.every(({ single }) => single)) return undefined;
  return { array: reference.array, indices: reference.subscripts.map(({ from }) => from) };
}

/** `c.T` for `c[3].T[1,2]`. */
export function withoutSubscripts(name: string): string {
  return name.includes('[') ? (cutName(name)?.texts.join('') ?? name) : name;
}

/** Subscripts, from 1, of an element by its row-major number. */
export function subscriptsOf(
  dims: readonly number[],
  element: number,
  into = new Array<number>(dims.length),
): number[] {
  let rest = element;
  for (let d = dims.length - 1; d >= 0; d--) {
    const size = dims[d]!;
    into[d] = (rest % size) + 1;
    rest = Math.floor(rest / size);
  }
  return into;
}

/** `[2,3]`; nothing where there are no subscripts. */
export const bracketed = (subscripts: readonly (number | string)[], separator = ','): string =>
  subscripts.length === 0 ? '' : `[${subscripts.join(separator)}]`;

/** `T` and [2, 3] give `T[2,3]`; a derivative has its subscripts inside: `der(T[2,3])`. */
export function elementName(array: string, indices: readonly number[]): string {
  const subscripts = bracketed(indices);
  const inner = /^((?:der\()+)(.*?)(\)+)$/.exec(array);
  return inner ? `${inner[1]}${inner[2]}${subscripts}${inner[3]}` : array + subscripts;
}

function parseSubscript(text: string): Subscript | undefined {
  if (text === ':') return { from: 1, step: 1, to: Number.POSITIVE_INFINITY, single: false };
  const parts = text.split(':').map((part) => part.trim());
  if (
    parts.length > 3 ||
    !parts.every((part, i) => isIndex(part) || (part === 'end' && i === parts.length - 1))
  )
    return undefined;
  const numbers = parts.map((part) => (part === 'end' ? Number.POSITIVE_INFINITY : Number(part)));
  if (numbers.length === 1) {
    return Number.isFinite(numbers[0])
      ? { from: numbers[0]!, step: 1, to: numbers[0]!, single: true }
      : undefined;
  }
  const [from, second, third] = numbers as [number, number, number | undefined];
  return { from, step: third === undefined ? 1 : second, to: third ?? second, single: false };
}

/** Positive integers of a reasonable length. */
function isIndex(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/** A dotted name cut at its dots. */
export function partsOf(name: string): string[] {
  const dots = dotsIn(name);
  return [...dots, name.length].map((dot, k) => name.slice(k === 0 ? 0 : dots[k - 1]! + 1, dot));
}

/** The names of all objects that a dotted name goes through, outermost first. */
export const prefixesOf = (name: string): string[] => dotsIn(name).map((dot) => name.slice(0, dot));

/** The places of the dots that separate parts: not those inside of quotes or brackets. */
function dotsIn(name: string): number[] {
  const dots: number[] = [];
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === "'") i = endOfQuoted(name, i);
    if (name[i] === '[') depth++;
    if (name[i] === ']') depth--;
    if (name[i] === '.' && depth === 0) dots.push(i);
  }
  return dots;
}

/** The place of the closing quote; of the end of the text where there is none. */
function endOfQuoted(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== "'") i += text[i] === '\\' ? 2 : 1;
  return i;
}

/** The name of something inside a component; the path of the model itself is empty. */
export const withPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
