/**
 * A report of a run as one HTML page that needs nothing else: the text that ran, what it was given, what came of it. It has no scripts, and its policy allows none; all texts and names
 * are text in it.
 */
import { readable } from '../../../names/readable.ts';
import { modeName } from '../../../results/plot/naming.ts';
import { prettyUnit } from '../../../units/display.ts';
import type { Message, Parameter, Place, RunAccount } from '../../protocol.ts';
import { valueTextOf, weightText } from '../curves/pictures.ts';
import { nameOf } from '../explorer.ts';
import { asSignal } from '../parameter.ts';
import type { Run } from '../run.ts';
import { texts } from '../texts.ts';
import { Markup, markup, type Piece } from './markup.ts';
import { reportStyle } from './style.ts';

const words = texts.report;

/** More are not read. */
const MOST_VISITS = 200;
const MOST_IMPULSES = 500;
const MOST_STATES = 20;

export interface ReportContent {
  readonly run: Run;
  readonly account: RunAccount;
  /** Paths of the texts to show, that of the model first. */
  readonly files: readonly string[];
  /** SVG, where there are curves. */
  readonly curves: string | undefined;
  /** The graph of modes as SVG, where there are several. */
  readonly modes: string | undefined;
  /** When it was made. */
  readonly date: string;
}

export function reportHtml(content: ReportContent): string {
  const { run, account, date } = content;
  const { model } = run.order;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${model}</title>
<style>
${new Markup(reportStyle)}
</style>
</head>
<body>
<header><h1>${model}</h1>${account.description !== '' && markup`<p>${account.description}</p>`}</header>
<main>
${[
  outcome(run),
  section(texts.messages, messages(content)),
  section(texts.curves, content.curves !== undefined && picture(content.curves)),
  section(texts.modes, [content.modes !== undefined && picture(content.modes, 'graph'), modes(run, account)]),
  section(words.impulses, impulses(run)),
  section(texts.parameters, parameters(run, account.parameters)),
  section(texts.chart, account.chart !== undefined && picture(account.chart, 'drawing')),
  section(texts.diagram, account.diagram !== undefined && picture(account.diagram, 'drawing')),
  ...content.files.map((path, k) => text(path, account.sources[path] ?? '', k)),
]}</main>
<footer>${words.made(date)}</footer>
</body>
</html>
`;
  return page.text;
}

const section = (title: string, content: Piece): Piece =>
  content !== undefined && content !== false && markup`<section><h2>${title}</h2>\n${content}</section>\n`;

/** Pictures come from the simulator, which escapes what is in them. */
const picture = (svg: string, kind = 'curves'): Markup =>
  markup`<figure class="${kind}">${new Markup(svg)}</figure>\n`;

const seconds = (time: number): string => `${readable(time)} s`;

function outcome(run: Run): Markup {
  const { report, order, startTime, stopTime } = run;
  const status =
    report && Number.isFinite(run.reached)
      ? texts.ended[report.status](seconds(run.reached))
      : texts.notBegun;
  const { settings } = order;
  const facts: [string, string][] = [
    [words.interval, words.fromTo(seconds(startTime), seconds(stopTime))],
    ...(settings.tolerance === undefined
      ? []
      : [[texts.tolerance, readable(settings.tolerance)] as [string, string]]),
    ...(settings.method === undefined ? [] : [[texts.method, settings.method] as [string, string]]),
  ];
  if (report) {
    const { steps, events, modesCompiled } = report.statistics;
    facts.push([words.work, words.counts(steps, events, modesCompiled)]);
  }
  const kind = report?.status === 'failed' ? 'failed' : '';
  return markup`<section><p class="status ${kind}">${status}</p>
<dl>${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>
`;
}

// ---------------------------------------------------------------- messages

function messages({ run, files }: ReportContent): Piece {
  const all = run.report?.messages ?? [];
  if (all.length === 0) return markup`<p class="none">${texts.noMessages}</p>\n`;
  return markup`<ul class="messages">${all.map((message) => messageItem(message, files))}</ul>\n`;
}

const messageItem = ({ severity, text, hint, place, notes }: Message, files: readonly string[]): Markup =>
  markup`<li class="${severity}"><p>${placeLink(place, files)}<b>${words.severities[severity]}</b> ${coded(text)}</p>${
    hint !== undefined && markup`<p class="hint">${texts.hint}: ${coded(hint)}</p>`
  }${notes.map((note) => markup`<p class="hint">${placeLink(note.place, files)}${coded(note.text)}</p>`)}</li>
`;

/** Text in which names stand between backquotes. */
const coded = (text: string): Piece =>
  text.split('`').map((part, k) => (k % 2 === 1 ? markup`<code>${part}</code>` : part));

function placeLink(place: Place | undefined, files: readonly string[]): Piece {
  if (!place) return undefined;
  const shown = `${nameOf(place.file)}:${place.line}:${place.column}`;
  const number = files.indexOf(place.file);
  if (number < 0) return markup`<code>${shown}</code> `;
  return markup`<a href="#${lineId(number, place.line)}">${shown}</a> `;
}

const lineId = (file: number, line: number): string => `f${file}-${line}`;

// ---------------------------------------------------------------- tables

const table = (head: readonly string[], rows: readonly (readonly Piece[])[], kind = ''): Markup =>
  markup`<div class="wide"><table class="${kind}"><thead><tr>${head.map((title) => markup`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>
`;

const more = (count: number): Piece => count > 0 && markup`<p class="none">${texts.moreMatches(count)}</p>\n`;

function modes({ modes: visits }: Run, { states }: RunAccount): Piece {
  if (visits.length === 0) return undefined;
  const bySignature = new Map<string, { index: number; visits: number; time: number }>();
  for (const { signature, index, from, to } of visits) {
    const known = bySignature.get(signature) ?? { index, visits: 0, time: 0 };
    bySignature.set(signature, { index, visits: known.visits + 1, time: known.time + to - from });
  }
  const kinds = [...bySignature].map(([signature, { index, visits: count, time }]) => {
    const names = Object.hasOwn(states, signature) ? states[signature]! : [];
    const listed = names.slice(0, MOST_STATES).join(', ') + (names.length > MOST_STATES ? ' …' : '');
    return [modeName(signature), index, names.length, listed, count, seconds(time)];
  });
  const rows = visits
    .slice(0, MOST_VISITS)
    .map(({ signature, from, to }) => [seconds(from), seconds(to), modeName(signature)]);
  return [
    table([texts.mode, words.index, words.stateCount, words.states, words.visits, words.time], kinds),
    visits.length > 1 && [table([words.from, words.to, texts.mode], rows), more(visits.length - MOST_VISITS)],
  ];
}

function impulses(run: Run): Piece {
  if (run.impulses.length === 0) return undefined;
  const rows = run.impulses
    .slice(0, MOST_IMPULSES)
    .map((impulse) => [seconds(impulse.time), impulse.variable, weightText(run, impulse)]);
  return [table([texts.time, words.variable, words.weight], rows), more(run.impulses.length - MOST_IMPULSES)];
}

function parameters({ order }: Run, all: readonly Parameter[]): Piece {
  if (all.length === 0) return undefined;
  const shown = all.filter(({ hidden, name }) => !hidden || Object.hasOwn(order.values, name));
  const rows = shown.map((parameter) => {
    const { name, description } = parameter;
    const isChanged = Object.hasOwn(order.values, name);
    return [name, valueText(parameter), isChanged && markup`<b>${words.changed}</b>`, description];
  });
  return table([words.name, words.value, '', words.description], rows);
}

function valueText(parameter: Parameter): string {
  const { value, unit, literals } = parameter;
  if (typeof value === 'number') return valueTextOf(asSignal(parameter), value);
  if (typeof value !== 'object') return String(value);
  // Elements are in the unit of the declaration.
  const shown = literals ? '' : prettyUnit(unit);
  return `${JSON.stringify(value)}${shown && ` ${shown}`}`;
}

// ---------------------------------------------------------------- texts

const text = (path: string, content: string, number: number): Markup =>
  markup`<section><h2>${nameOf(path)}</h2>
<pre>${content
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line, k) => markup`<span id="${lineId(number, k + 1)}">${line}\n</span>`)}</pre></section>
`;
