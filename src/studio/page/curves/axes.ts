/**
 * Axes of a diagram: their ranges, ticks, and the room that their labels need. All diagrams stand below each other, so that those with the longest labels decide.
 * What belongs to all labels of an axis, its power of ten and its unit, stands once: above axes of values, and behind the last label of the time.
 */
import { spaced } from '../../../paint/text.ts';
import { exponentLabel, niceTicks, paddedRange } from '../../../results/plot/ticks.ts';
import { namesOf } from '../../../results/plot/value.ts';
import { prettyUnit } from '../../../units/display.ts';
import { rangeIn } from '../../trace.ts';
import { rangeWith } from './arrows.ts';
import type { Arrow, Curve, Picture } from './content.ts';

export interface Ticks {
  readonly values: readonly number[];
  readonly labels: readonly string[];
  /** The power of ten and the unit of all labels; empty where there are none. */
  readonly scale: string;
}

/** Pixels of a label beyond which names are cut, beside axes that are there, and where there is none. */
const [LONGEST, LEAST, NONE] = [130, 60, 36] as const;
/** Pixels between an axis and its labels. */
export const GAP = 9;
/** The unit of all times of the page: axes, fields and messages can be compared. */
export const TIME_UNIT = 's';
/** Labels are measured as if there were so many, which have the most digits. */
const MANY = 12;

export type Measure = (text: string) => number;

/** Measures texts in a font. */
export function measuring(font: string): Measure {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = font;
  return (text) => context.measureText(text).width;
}

/** As much of a text as there is room for. */
export function fitted(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text;
  for (let n = text.length - 1; n > 1; n--) {
    const shorter = `${text.slice(0, n)}…`;
    if (measure(shorter) <= width) return shorter;
  }
  return '';
}

/** Of what is seen of all curves of a measure, as it is shown. */
export function rangeOf(picture: Picture, measure: string): [low: number, high: number] {
  const { from, to } = picture.window;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { measure: own, run, series, display, signal, isHidden } of picture.curves) {
    if (own !== measure || isHidden) continue;
    const range = rangeIn(run.times, series, from, to);
    if (range) {
      low = Math.min(low, display.scale * range.low + display.offset);
      high = Math.max(high, display.scale * range.high + display.offset);
    }
    if (!isNamedMeasure(measure)) continue;
    const { names, first } = namesOf(signal);
    [low, high] = [Math.min(low, first), Math.max(high, first + names.length - 1)];
  }
  const range = paddedRange(...rangeWith(low, high, arrowsIn(picture, measure)));
  return [range.low, range.high];
}

/** What can be told apart in an axis of some length: values that are read from it have the digits for that. */
export const stepIn = (low: number, high: number): number => (high - low) / 1000;

/** Arrows that are seen. */
export function arrowsIn({ arrows, window }: Picture, measure: string): readonly Arrow[] {
  return arrows.filter((one) => one.measure === measure && one.time >= window.from && one.time <= window.to);
}

/** About `count` ticks of an axis of values; of values with names all of them. */
export function valueTicks(
  curves: readonly Curve[],
  measure: string,
  range: readonly [low: number, high: number],
  count: number,
  measureText: Measure,
): Ticks {
  const named = isNamedMeasure(measure) && curves.find((curve) => curve.measure === measure);
  if (named) {
    const { names, first } = namesOf(named.signal);
    const labels = names.map((name) => fitted(name, LONGEST, measureText));
    return { values: names.map((_, k) => first + k), labels, scale: '' };
  }
  const [low, high] = range;
  const { values, labels, exponent } = niceTicks({ low, high }, Math.max(2, count));
  const unit = measure === '1' ? '' : prettyUnit(measure);
  return { values, labels, scale: spaced(exponentLabel(exponent), unit) };
}

export function timeTicks(low: number, high: number, count: number): Ticks {
  const { values, labels, exponent } = niceTicks({ low, high }, Math.max(2, count));
  return { values, labels, scale: spaced(exponentLabel(exponent), TIME_UNIT) };
}

/** Pixels beside the curves, at the left and at the right, the same for all diagrams. */
export interface Margins {
  readonly left: number;
  readonly right: number;
}

/** The room that the labels of some diagrams need: at the right those of a second axis, or what stands behind the last time. */
export function marginsOf(pictures: readonly Picture[], font: string): Margins {
  const measureText = measuring(font);
  const widest = (labels: readonly string[]): number => Math.max(0, ...labels.map(measureText));
  let left: number = LEAST;
  let right: number = NONE;
  for (const picture of pictures)
    for (const [k, measure] of measuresOf(picture.curves).slice(0, 2).entries()) {
      const range = rangeOf(picture, measure);
      const { labels, scale } = valueTicks(picture.curves, measure, range, MANY, measureText);
      const room = Math.max(LEAST, Math.ceil(widest([...labels, scale])) + GAP + 2);
      if (k === 0) left = Math.max(left, room);
      else right = Math.max(right, room);
    }
  for (const { window } of pictures) {
    const { labels, scale } = timeTicks(window.from, window.to, MANY);
    right = Math.max(right, Math.ceil(widest(labels) / 2 + measureText(` ${scale}`)) + 2);
  }
  return { left, right };
}

/** Measures of values that have names begin so. */
export const NAMED = 'names:';
const isNamedMeasure = (measure: string): boolean => measure.startsWith(NAMED);

/** Measures in the order of their first curves. */
export const measuresOf = (curves: readonly Pick<Curve, 'measure'>[]): string[] => [
  ...new Set(curves.map(({ measure }) => measure)),
];
