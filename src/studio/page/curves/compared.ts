/** What the run before was, with which others are compared: how it differs, in words. */
import { readable } from '../../../names/readable.ts';
import { make } from '../dom.ts';
import { asSignal } from '../parameter.ts';
import type { Run } from '../run.ts';
import type { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { perFrame } from '../value.ts';
import { valueTextOf } from './pictures.ts';

/** Differences that are named. */
const MOST = 4;

/** The legend of dashed curves; nothing is seen where runs are not compared. */
export function compared(store: Store): HTMLElement {
  const { isComparing, before, run, report, family } = store;
  const element = make('output', { class: 'compared' });
  perFrame([isComparing, before, run, report, family], () => {
    element.hidden = !isComparing.now || run.now === undefined || family.now.length > 0;
    element.textContent = before.now ? texts.dashed(differencesOf(store)) : texts.nothingBefore;
  });
  return element;
}

/** What the run before had other than the one that is seen. */
export function differencesOf({ run, before, report }: Store): string {
  const [now, then] = [run.now, before.now];
  if (!now || !then) return '';
  const found = [...settingsIn(then, now), ...valuesIn(then, now, report.now?.parameters ?? [])];
  if (then.texts !== now.texts) found.unshift(texts.otherText);
  return [...found.slice(0, MOST), ...(found.length > MOST ? ['…'] : [])].join(', ');
}

function settingsIn(then: Run, now: Run): string[] {
  const named = {
    startTime: texts.startTime,
    stopTime: texts.stopTime,
    tolerance: texts.tolerance,
    intervals: texts.intervals,
    method: texts.method,
  } as const;
  const [old, own] = [then.order.settings, now.order.settings];
  return (Object.keys(named) as (keyof typeof named)[])
    .filter((name) => old[name] !== own[name])
    .map((name) => `${named[name]}: ${old[name] ?? texts.ofModel}`);
}

type Parameters = NonNullable<Store['report']['now']>['parameters'];

function valuesIn(then: Run, now: Run, parameters: Parameters): string[] {
  const [old, own] = [then.order.values, now.order.values];
  const names = [...new Set([...Object.keys(old), ...Object.keys(own)])];
  return names
    .filter((name) => old[name] !== own[name])
    .map((name) => {
      const parameter = parameters.find((one) => one.name === name);
      const value = old[name] ?? parameter?.value;
      if (typeof value !== 'number') return `${name} = ${value ?? texts.ofModel}`;
      return `${name} = ${parameter ? valueTextOf(asSignal(parameter), value) : readable(value)}`;
    });
}
