/** What diagrams show, from what the store knows. */

import { readable } from '../../../names/readable.ts';
import { hueRamp, lineRamp } from '../../../results/plot/style.ts';
import { impulseUnit } from '../../../results/plot/units.ts';
import { displayed, isNamed, namesOf, quantityText } from '../../../results/plot/value.ts';
import { AS_IT_IS, prettyUnit } from '../../../units/display.ts';
import type { ImpulseReport, SignalReport } from '../../protocol.ts';
import type { Run } from '../run.ts';
import type { DiagramSpec, Store, Window } from '../store.ts';
import { NAMED } from './axes.ts';
import type { Arrow, Band, Curve, Picture } from './content.ts';
import type { Palette } from './palette.ts';

/** Colours that are seen beside the name of a run. */
const MOST_COLORS = 3;

/** How strong the runs of a family are of which another one is chosen. */
const BESIDE = 0.7;

/** What a signal measures: what is measured alike shares an axis. */
export function measureOf(signal: SignalReport): string {
  if (isNamed(signal)) return NAMED + namesOf(signal).names.join();
  return displayed(signal).unit;
}

/** The time that diagrams show: what was zoomed to, or all of the runs that are seen. */
export function windowOf(store: Store): Window {
  const { window, run } = store;
  if (window.now) return window.now;
  return wholeOf([run.now, ...store.family.now]);
}

export function wholeOf(runs: readonly (Run | undefined)[]): Window {
  const shown = runs.filter((run) => run !== undefined);
  const from = Math.min(...shown.map(({ startTime }) => startTime));
  const to = Math.max(...shown.map(({ stopTime }) => stopTime));
  if (!(from < to))
    return { from: Number.isFinite(from) ? from : 0, to: (Number.isFinite(from) ? from : 0) + 1 };
  return { from, to };
}

export function pictureOf(store: Store, { signals }: DiagramSpec, palette: Palette): Picture {
  const window = windowOf(store);
  const run = store.run.now;
  const curves = run ? signals.flatMap((name, order) => curvesOf(store, run, name, order, palette)) : [];
  return {
    curves,
    bands: run ? bandsOf(run, window, palette) : [],
    arrows: run ? arrowsOf(store, run, signals, palette) : [],
    window,
    palette,
  };
}

/** Those of a signal: of the run before first, of the run itself last, so that it lies above all others. */
function curvesOf(store: Store, run: Run, name: string, order: number, palette: Palette): Curve[] {
  const family = store.family.now;
  const before = store.isComparing.now ? store.before.now : undefined;
  const isHidden = store.hidden.now.has(name);
  const curve = (one: Run, more: Partial<Curve> = {}): Curve[] => {
    const series = one.series.get(name);
    const signal = one.signal(name);
    if (!series || !signal) return [];
    const color = palette.curve(order);
    const display = isNamed(signal) ? AS_IT_IS : displayed(signal);
    const own = { name, run: one, series, signal, display, measure: measureOf(signal), color };
    return [{ ...own, dash: palette.dash(order), opacity: 1, isHidden, ...more }];
  };
  if (family.length > 0)
    return family.flatMap((member, k) => {
      return curve(member, {
        color: rampOf(store, order)(shareOf(family, k)),
        dash: [],
        opacity: member === run ? 1 : BESIDE,
      });
    });
  return [...(before && before !== run ? curve(before, { dash: [5, 4], opacity: 0.55 }) : []), ...curve(run)];
}

/** The place of a run of a family in the ramp of its colours. */
const shareOf = (family: readonly Run[], k: number): number =>
  family.length === 1 ? 1 : k / (family.length - 1);

/** The colours of a signal in the runs of a family: where a diagram has several signals, each has shades of its own colour, everywhere. */
function rampOf({ diagrams }: Store, order: number): (share: number) => string {
  return diagrams.now.every(({ signals }) => signals.length < 2) ? lineRamp : hueRamp(order);
}

/** The colours that stand for a run of a family: those of its curves, in the order of their signals in a diagram. */
export function memberColors(store: Store, k: number): readonly string[] {
  const most = Math.max(1, ...store.diagrams.now.map(({ signals }) => signals.length));
  return Array.from({ length: Math.min(MOST_COLORS, most) }, (_, order) =>
    rampOf(store, order)(shareOf(store.family.now, k)),
  );
}

/** The colour of a signal in a legend: that of the run that is chosen. */
export function legendColor(store: Store, order: number, palette: Palette): string {
  const k = store.family.now.indexOf(store.run.now!);
  return k < 0 ? palette.curve(order) : rampOf(store, order)(shareOf(store.family.now, k));
}

/** Modes have the colours in whose order they first came; a model with one mode has none. */
export function modeOrders(run: Run): Map<string, number> {
  const orders = new Map<string, number>();
  for (const { signature } of run.modes) if (!orders.has(signature)) orders.set(signature, orders.size);
  return orders;
}

function bandsOf(run: Run, { from, to }: Window, palette: Palette): Band[] {
  const orders = modeOrders(run);
  if (orders.size < 2) return [];
  return run.modes
    .filter((mode) => mode.to >= from && mode.from <= to)
    .map((mode) => ({
      from: mode.from,
      to: mode.to,
      color: `${palette.mode(orders.get(mode.signature)!)}80`,
    }));
}

/** Impulses of variables that are shown. */
function arrowsOf(store: Store, run: Run, signals: readonly string[], palette: Palette): Arrow[] {
  const own = run.impulses.filter(
    ({ variable }) => signals.includes(variable) && run.signal(variable) && !store.hidden.now.has(variable),
  );
  const largest = Math.max(...own.map(({ weight }) => Math.abs(weight)));
  return own.map((impulse) => ({
    time: impulse.time,
    measure: measureOf(run.signal(impulse.variable)!),
    // The smallest ones are seen as well.
    size: Math.sign(impulse.weight) * Math.max(0.25, Math.abs(impulse.weight) / largest),
    color: legendColor(store, signals.indexOf(impulse.variable), palette),
    label: weightText(run, impulse),
  }));
}

/** The weight of an impulse with its unit: that in which its variable is shown, times a second. */
export function weightText(run: Run, { variable, weight, unit }: ImpulseReport): string {
  const signal = run.signal(variable);
  const display = signal && displayed(signal);
  const shown = prettyUnit(unit ?? (display ? impulseUnit(display.unit) : ''));
  return `${readable(weight * (display?.scale ?? 1), 4)}${shown && ` ${shown}`}`;
}

type Described = Pick<SignalReport, 'unit' | 'displayUnit' | 'type' | 'literals'>;

/** The value of a signal with its unit, as people read it; with digits that tell it apart from what is shown as a `step` away. */
export const valueTextOf = (signal: Described, value: number, step = 0): string => {
  const text = quantityText(signal, value, step);
  const { unit } = displayed(signal);
  return unit !== '' && text.endsWith(` ${unit}`)
    ? `${text.slice(0, -unit.length)}${prettyUnit(unit)}`
    : text;
};
