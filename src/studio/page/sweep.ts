/** Which values of a parameter a sweep tries: asked of the person, from the range that its slider has. */
import { readable } from '../../names/readable.ts';
import { displayed } from '../../results/plot/value.ts';
import { prettyUnit } from '../../units/display.ts';
import type { Parameter } from '../protocol.ts';
import { ask } from './dialog.ts';
import { make } from './dom.ts';
import { numberIn } from './fields.ts';
import { asSignal, boundProblem, shownOf, storedOf, sweepRangeOf, written } from './parameter.ts';
import type { Member } from './runs.ts';
import { texts } from './texts.ts';

const USUAL = 7;
const MOST = 50;

/** Runs of a sweep, undefined where the person wants none after all. */
export function askSweep(parameter: Parameter): Promise<readonly Member[] | undefined> {
  const { name, type } = parameter;
  const shownUnit = prettyUnit(displayed(asSignal(parameter)).unit);
  const field = (value: number): HTMLInputElement =>
    make('input', {
      type: 'text',
      inputmode: 'decimal',
      size: 9,
      spellcheck: 'false',
      value: written(value),
    });
  const [low, high] = sweepRangeOf(parameter);
  const [from, to] = [field(shownOf(parameter, low)), field(shownOf(parameter, high))];
  const count = field(type === 'Integer' ? Math.min(USUAL, Math.round(high - low) + 1) : USUAL);
  const isGeometric = make('input', { type: 'checkbox' });
  const row = (label: string, input: HTMLElement, after = ''): HTMLElement =>
    make('label', { class: 'field' }, make('span', {}, label), input, after);
  return ask(
    texts.sweepOf(name),
    make(
      'div',
      { class: 'fields' },
      row(texts.sweepFrom, from, shownUnit),
      row(texts.sweepTo, to, shownUnit),
      row(texts.sweepCount, count),
      row(texts.sweepGeometric, isGeometric),
    ),
    () => {
      const [first, last, runs] = [from, to, count].map(({ value }) => numberIn(value));
      if (first === undefined || last === undefined) return { problem: texts.sweepBounds };
      if (runs === undefined || !Number.isInteger(runs) || runs < 2 || runs > MOST)
        return { problem: texts.sweepRuns(MOST) };
      if (isGeometric.checked && !(first * last > 0)) return { problem: texts.sweepSigns };
      const values = between(first, last, runs, isGeometric.checked).map((shown) =>
        storedOf(parameter, shown),
      );
      const whole = [...new Set(type === 'Integer' ? values.map(Math.round) : values)];
      const problem =
        boundProblem(parameter, Math.min(...whole)) ?? boundProblem(parameter, Math.max(...whole));
      if (problem !== undefined) return { problem };
      if (whole.length < 2) return { problem: texts.sweepSame };
      const labels = labelsOf(whole.map((value) => shownOf(parameter, value)));
      return {
        value: whole.map((value, k) => ({
          label: `${name} = ${labels[k]}${shownUnit && ` ${shownUnit}`}`,
          values: { [name]: value },
        })),
      };
    },
    texts.sweep,
  );
}

/** Characters of a number that is shown with all of its digits. */
const SHORT = 8;

/** Short numbers as they are; others with at least four digits, and as many as tell each from its neighbours by far. */
export function labelsOf(values: readonly number[]): string[] {
  return values.map((value, k) => {
    const exact = readable(value, 12);
    if (exact.length <= SHORT) return exact;
    const beside = [values[k - 1], values[k + 1]].filter((one) => one !== undefined);
    const step = Math.min(...beside.map((one) => Math.abs(one - value)));
    const needed = Math.ceil(Math.log10(Math.abs(value) / step)) + 2;
    return readable(value, Math.min(12, Math.max(4, needed)));
  });
}

/** Numbers at equal differences, or at equal ratios; the bounds are the first and the last of them, exactly. */
export function between(first: number, last: number, count: number, isGeometric: boolean): number[] {
  return Array.from({ length: count }, (_, k) => {
    if (k === 0) return first;
    if (k === count - 1) return last;
    const share = k / (count - 1);
    const value = isGeometric ? first * (last / first) ** share : first + share * (last - first);
    return Number(value.toPrecision(12));
  });
}
