/** The script of a page that `plotHtml` makes: it reads the results that the page carries, and shows them. */
import { readJson } from '../files/json.ts';
import type { SignalTable } from '../table/table.ts';
import type { Choice } from './choose.ts';
import type { PlotOptions } from './figure.ts';
import type { Layout } from './layout.ts';
import { Viewer } from './viewer.ts';

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

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData;
const tables: Record<string, SignalTable> = {};
for (const element of document.querySelectorAll<HTMLElement>('.results'))
  tables[element.dataset.label!] = readJson(element.textContent!);
const { layout, options, notes } = data;
const viewer = new Viewer(document.getElementById('plot')!, tables, layout ?? undefined, options, data);
viewer.note(notes);
