/**
 * Letters as strokes, for pictures of pixels, where there is no font. A stroke is a list of points, two digits each: across, and up from 0 (where `p`
 * ends) by 2 (the line), 7 (the height of `x`) to 9 (the height of `X`). A stroke that begins with `~` is bent, with its points as those of a quadratic
 * B-spline that begins at the first and ends at the last; with `@` it is closed. One point alone is a dot.
 */
import { remember } from '../collections/memo.ts';
import type { Line } from './raster.ts';

/** A text as lines of unit size: the height of a capital is 7, the base line is 0. */
export interface Lettering {
  readonly lines: readonly Line[];
  readonly width: number;
}

/** Units that a text of font size 1 has: capitals are 0.72 of the font size. */
export const UNIT = 0.72 / 7;
/** Between letters. */
const GAP = 1.9;
/** Letters are a little wider than their points say. */
const STRETCH = 1.08;

export function lettering(text: string): Lettering {
  const lines: Line[] = [];
  let x = 0;
  for (const character of text.normalize('NFD')) {
    const { strokes, width, scale, rise } = glyphOf(character);
    const isMark = MARKS.test(character);
    // A mark stands above the letter before it.
    const from = isMark ? Math.max(0, x - GAP - 4) : x;
    for (const stroke of strokes)
      lines.push(
        stroke.map((value, i) => (i % 2 === 0 ? from + value * scale * STRETCH : value * scale + rise)),
      );
    if (!isMark) x += width * scale * STRETCH + GAP * (scale < 1 ? 0.7 : 1);
  }
  return { lines, width: Math.max(0, x - GAP) };
}

const MARKS = /\p{M}/u;

interface Glyph {
  readonly strokes: readonly Line[];
  readonly width: number;
  readonly scale: number;
  readonly rise: number;
}

const known = new Map<string, Glyph>();

function glyphOf(character: string): Glyph {
  return remember(known, character, () => makeGlyph(character));
}

function makeGlyph(character: string): Glyph {
  const raised = SUPERSCRIPTS.indexOf(character);
  const spelled = raised >= 0 ? '0123456789-'[raised]! : (SAME[character] ?? character);
  const text = STROKES[spelled] ?? (MARKS.test(character) ? STROKES['\u0301']! : UNKNOWN);
  const strokes = text.split(' ').flatMap((stroke) => (stroke === '' ? [] : [strokeOf(stroke)]));
  const width = strokes.flat().reduce((most, value, i) => (i % 2 === 0 ? Math.max(most, value) : most), 0);
  // Digits are equally wide, so that columns of them stand below each other.
  const isDigit = spelled >= '0' && spelled <= '9';
  const own = spelled === ' ' ? 1.5 : isDigit ? 4 : width;
  return { strokes, width: own, scale: raised >= 0 ? 0.62 : 1, rise: raised >= 0 ? 3.4 : 0 };
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻';
/** Characters that look like others. */
const SAME: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
};
/** A box. */
const UNKNOWN = '0242490902';

const STROKES: Readonly<Record<string, string>> = {
  ' ': '',
  a: '@02424707 4742',
  b: '@02424707 0902',
  c: '~464707024243',
  d: '@02424707 4942',
  e: '0545 ~454707024243',
  f: '~391917 1712 0737',
  g: '@02424707 4741 ~41400001',
  h: '0902 ~05074745 4542',
  i: '0702 09',
  j: '1711 ~111000 19',
  k: '0902 4704 1542',
  l: '0902',
  m: '0702 ~05073735 3532 ~35376765 6562',
  n: '0702 ~05074745 4542',
  o: '@02424707',
  p: '0700 @02424707',
  q: '4740 @02424707',
  r: '0702 ~050737',
  s: '~4647070544420203',
  t: '1913 ~131232 0737',
  u: '0704 ~04024244 4742',
  v: '072247',
  w: '0722364267',
  x: '0742 4702',
  y: '0722 4710',
  z: '07470242',
  A: '023962 1454',
  B: '0902 ~09595606 ~06565202',
  C: '~575909025254',
  D: '0902 ~092959522202',
  E: '59090252 0646',
  F: '590902 0646',
  G: '~575909025255 5535',
  H: '0902 5952 0656',
  I: '0902',
  J: '3934 ~34320204',
  K: '0902 5905 2752',
  L: '090252',
  M: '0209346962',
  N: '02095259',
  O: '@02525909',
  P: '0902 ~092959552505',
  Q: '@02525909 3452',
  R: '0902 ~092959552505 2552',
  S: '~5759090656520204',
  T: '0949 2922',
  U: '0904 ~04025254 5459',
  V: '093269',
  W: '0922496289',
  X: '0952 5902',
  Y: '092549 2522',
  Z: '09590252',
  0: '@02424909',
  1: '173932',
  2: '~0709494602 0242',
  3: '~0809494616 ~1646420203',
  4: '390444 3932',
  5: '490906 ~062747420203',
  6: '@02424606 ~48490904',
  7: '094912',
  8: '@06464909 @02424606',
  9: '@05454909 ~47420203',
  '.': '02',
  ',': '1201',
  ':': '02 06',
  ';': '16 1201',
  '!': '0904 02',
  '?': '~0709494626 2624 22',
  "'": '0907',
  '"': '0907 2927',
  '`': '0927',
  '-': '0545',
  '+': '0545 2327',
  '=': '0646 0444',
  '/': '0139',
  '\\': '0931',
  '|': '0900',
  '(': '~29070320',
  ')': '~09272300',
  '[': '29090020',
  ']': '09292000',
  '{': '~39191605 ~05141030',
  '}': '~09292635 ~35242000',
  '<': '470542',
  '>': '074502',
  _: '0141',
  '*': '2925 0836 4836',
  '#': '1812 3832 0646 0444',
  '%': '0249 @07272909 @22424424',
  '&': '~42181929 ~29270403 ~03022244',
  '@': '@02525909 @24444626',
  '^': '072947',
  '~': '~0507444547',
  $: '~4748080644420204 2901',
  '°': '@07272909',
  '·': '05',
  '×': '0347 0743',
  '…': '02 22 42',
  '→': '0545 2745 2345',
  µ: '0700 ~04024244 4742',
  Ω: '0222 ~220309595332 3252',
  // Marks above letters: two dots, and a dash for all others.
  '\u0308': '09 39',
  '\u0301': '1939',
};

function strokeOf(text: string): Line {
  const bent = text.startsWith('~') || text.startsWith('@');
  const digits = bent ? text.slice(1) : text;
  const points: number[] = [];
  for (let i = 0; i < digits.length; i += 2) points.push(Number(digits[i]), Number(digits[i + 1]) - 2);
  return bent ? spline(points, text.startsWith('@')) : points;
}

/** Pieces of straight line for each bend. */
const PIECES = 6;

function spline(points: readonly number[], isClosed: boolean): Line {
  const count = points.length / 2;
  const at = (i: number): readonly [number, number] => [
    points[2 * (i % count)]!,
    points[2 * (i % count) + 1]!,
  ];
  const middle = (i: number): readonly [number, number] => {
    const [[ax, ay], [bx, by]] = [at(i), at(i + 1)];
    return [(ax + bx) / 2, (ay + by) / 2];
  };
  const line: number[] = [];
  const bends = isClosed ? count : count - 2;
  for (let i = 0; i < bends; i++) {
    const start = !isClosed && i === 0 ? at(0) : middle(i);
    const end = !isClosed && i === bends - 1 ? at(count - 1) : middle(i + 1);
    const [cx, cy] = at(i + 1);
    for (let k = i === 0 ? 0 : 1; k <= PIECES; k++) {
      const t = k / PIECES;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
      line.push(a * start[0] + b * cx + c * end[0], a * start[1] + b * cy + c * end[1]);
    }
  }
  return line;
}
