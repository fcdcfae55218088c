/** The list in which a reader of a plot chooses signals: those of the layout, and all others of the results. */

import { remember } from '../../collections/memo.ts';
import { spaced } from '../../paint/text.ts';
import { countOf, nameAt } from '../table/signal.ts';
import { arrayName } from '../table/signals.ts';
import { type Choice, choiceOf } from './choose.ts';
import { closing, make } from './elements.ts';
import { isOpen } from './figure.ts';
import {
  byUnit,
  type DiagramGrid,
  type DiagramOptions,
  type Layout,
  type ResolvedDiagram,
  resolveLayout,
} from './layout.ts';
import type { Run } from './member.ts';
import { bracketedUnit } from './units.ts';
import { displayed } from './value.ts';

export interface Chooser {
  readonly element: HTMLElement;
  /** The diagrams with what is chosen; undefined for the choice that a plot makes by itself. */
  layout(): Layout | undefined;
}

/** A signal, or an array as one. */
interface Item {
  readonly name: string;
  readonly detail: string;
  readonly signals: readonly string[];
}

/** Entries that are listed at once. */
const MOST_ITEMS = 200;

export function chooser(
  runs: readonly Run[],
  layout: Layout | undefined,
  changed: () => void,
  choice?: Choice,
): Chooser {
  const tables = runs.map(({ table }) => table);
  const first = tables[0]!;
  const given: DiagramGrid | undefined = isOpen(layout) ? undefined : resolveLayout(tables, layout);
  const chosen = new Set(
    given ? given.flat().flatMap((diagram) => diagram?.signals ?? []) : (choice ?? choiceOf(first)).signals,
  );
  const original = new Set(chosen);
  const items = itemsOf(runs);

  let isTouched = false;
  const current = (): Layout | undefined => {
    if (!given)
      return isTouched ? { rows: byUnit(first, [...chosen]).map((diagram) => [diagram]) } : undefined;
    const kept = given.map((row) => row.map((diagram) => diagram && withSome(diagram, chosen)));
    const added = [...chosen].filter((name) => !original.has(name) && first.has(name));
    const rows = kept
      .filter((row) => row.some((diagram) => diagram))
      .map((row) => row.map((one) => one ?? null));
    return { rows: [...rows, ...byUnit(first, added).map((diagram) => [diagram])] };
  };

  const element = closing(make('details', ''));
  const summary = make('summary', '', 'Signals');
  const list = make('div', 'list');
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = 'Search';
  search.setAttribute('aria-label', 'Search for signals');
  const entries = make('div', '');
  list.append(search, entries);
  element.append(summary, list);

  const fill = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const found = items.filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(wanted));
    const more = found.length - MOST_ITEMS;
    const note = more > 0 ? `${more} more; search for them` : found.length === 0 ? 'No signal' : '';
    const rest = make('small', '', note);
    entries.replaceChildren(...found.slice(0, MOST_ITEMS).map(entry), rest);
  };
  const entry = ({ name, detail, signals }: Item): HTMLElement => {
    const label = make('label', '');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = signals.every((signal) => chosen.has(signal));
    box.indeterminate = !box.checked && signals.some((signal) => chosen.has(signal));
    box.addEventListener('change', () => {
      for (const signal of signals) {
        if (box.checked) chosen.add(signal);
        else chosen.delete(signal);
      }
      isTouched = true;
      changed();
    });
    label.append(box, name, ' ', make('small', '', detail));
    return label;
  };
  search.addEventListener('input', fill);
  element.addEventListener('toggle', fill);
  return { element, layout: current };
}

/** A diagram with those of its signals that are chosen; undefined where none is. */
function withSome(
  { signals, ...diagram }: ResolvedDiagram,
  chosen: ReadonlySet<string>,
): DiagramOptions | undefined {
  const curves = signals.filter((name) => chosen.has(name));
  return curves.length === 0 ? undefined : { ...diagram, curves };
}

function itemsOf(runs: readonly Run[]): Item[] {
  const items = new Map<string, { name: string; detail: string; signals: string[] }>();
  for (const { table } of runs) {
    for (const signal of table.reader.signals) {
      const { info } = signal;
      if (info.hidden) continue;
      const name = arrayName(signal) ?? nameAt(signal, 0);
      const detail = spaced(info.description, bracketedUnit(displayed(info).unit));
      const item = remember(items, name, () => ({ name, detail, signals: [] }));
      for (let place = 0; place < countOf(signal); place++) item.signals.push(nameAt(signal, place));
    }
  }
  return [...items.values()].map((item) => ({ ...item, signals: [...new Set(item.signals)] }));
}
