/** The results that a page carries for its plot, as elements of the page: how they are written, and how its script reads them. */

import { escapeText } from '../../paint/text.ts';
import { readJson, toJson } from '../files/json.ts';
import type { SignalTable } from '../table/table.ts';
import { type Choice, choiceOf } from './choose.ts';
import { type Excerpt, excerptOf, MOST_NUMBERS } from './excerpt.ts';
import { type Figure, isOpen, type PlotOptions } from './figure.ts';
import type { Layout } from './layout.ts';
import type { Run } from './member.ts';

/** What a page says beside its results. */
export interface PageData {
  readonly layout: Layout | null;
  /** What is shown without a layout; the page may carry only a part of what it was chosen from. */
  readonly choice: Choice;
  readonly options: PlotOptions;
  /** See `Excerpt`. */
  readonly resolution: number;
  readonly notes: readonly string[];
}

/** The elements of a page with what a figure draws; undefined where one page cannot carry it. */
export function carriedResults(
  runs: readonly Run[],
  figure: Figure,
  layout: Layout | undefined,
  options: PlotOptions,
): string | undefined {
  const excerpts = excerptsOf(runs, figure);
  if (!excerpts) return undefined;
  const data: PageData = {
    layout: isOpen(layout) ? null : layout,
    choice: choiceOf(runs[0]!.table),
    options,
    resolution: Math.max(...excerpts.map(({ resolution }) => resolution)),
    notes: [...new Set(excerpts.flatMap(({ notes }) => notes))],
  };
  const results = runs.map(({ label }, i) => {
    const text = inScript(toJson(excerpts[i]!.table));
    return `<script type="application/json" class="results" data-label="${escapeText(label)}">${text}</script>`;
  });
  return `${results.join('\n')}
<script type="application/json" id="data">${inScript(JSON.stringify(data))}</script>`;
}

/** In a script element only `<` could end it; as an escape it is the same JSON. */
export const inScript = (json: string): string => json.replaceAll('<', '\\u003c');

/** What the page of this script carries. */
export function readCarried(): { readonly tables: Record<string, SignalTable>; readonly data: PageData } {
  const tables: Record<string, SignalTable> = {};
  for (const element of document.querySelectorAll<HTMLElement>('.results'))
    tables[element.dataset.label!] = readJson(element.textContent!);
  return { tables, data: JSON.parse(document.getElementById('data')!.textContent!) as PageData };
}

/** Of each result what is drawn; undefined where one page cannot carry it. */
function excerptsOf(runs: readonly Run[], { panels }: Figure): Excerpt[] | undefined {
  const drawn = panels.flatMap(({ diagram: { signals, over } }) => (over ? [...signals, over] : signals));
  const areCurves = panels.every(({ isTimed, diagram }) => isTimed && diagram.as === 'curves');
  const excerpts = runs.map(({ table }) => excerptOf(table, drawn, areCurves, MOST_NUMBERS / runs.length));
  return excerpts.every((excerpt) => excerpt !== undefined) ? excerpts : undefined;
}
