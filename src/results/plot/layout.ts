/**
 * Which diagrams a plot has and what is drawn in each: the grammar name | tuple | vector | matrix of SignalTables.
 *
 *     'h'                                   one diagram with one curve
 *     [['h', 'v'], 'm']                     diagrams above each other, the first with two curves
 *     { rows: [['h', 'v'], ['m', null]] }   a grid of diagrams; null leaves a place empty
 *
 * Everything can also be written as one text, for which a list of names takes the place of a tuple: commas separate curves, bars
 * diagrams beside each other, semicolons rows. `over` names what is drawn along the horizontal axis instead of the time; a text in
 * quotes is the heading of its diagram.
 *
 *     h, v; m            the vector above
 *     h | v; m | y over x
 *     "Flight" h, v
 *
 * A name may be an array or a part of it (`T[2:5]`) or a glob, and then stands for all of its elements.
 */
import { checkOptions, kind, type OptionKind, type OptionKinds } from '../../diagnostic/options.ts';
import type { SignalTable } from '../table.ts';
import { displayOf } from './units.ts';

/** A diagram: a text, several names, or these with what is to be said of them. */
export type Diagram = string | readonly string[] | DiagramOptions;

export interface DiagramOptions {
  readonly curves: string | readonly string[];
  /** The signal along the horizontal axis; the time where it is left out. */
  readonly over?: string;
  readonly heading?: string;
}

const names: OptionKind = {
  is: (value) => kind.text.is(value) || (Array.isArray(value) && value.every(kind.text.is)),
  what: 'a name or a list of names',
};
const diagramKinds: OptionKinds<DiagramOptions> = { curves: names, over: kind.text, heading: kind.text };

/** Diagrams above each other, or in rows; a text holds any of them. */
export type Layout =
  | string
  | readonly Diagram[]
  | { readonly rows: readonly (readonly (Diagram | null)[])[] };

/** A diagram whose names are those of signals of the table. */
export interface ResolvedDiagram {
  readonly signals: readonly string[];
  readonly over: string | undefined;
  readonly heading: string;
}

/** Rows of diagrams. */
export type Grid = readonly (readonly (ResolvedDiagram | undefined)[])[];

/** Finds the signals of a layout. Throws a `RangeError` for names that do not exist and texts that are no layout. */
export function resolveLayout(table: SignalTable, layout: Layout): Grid {
  const rows = typeof layout === 'string' ? parseRows(table, layout) : rowsOf(layout);
  return rows.map((row) => row.map((diagram) => (diagram === null ? undefined : resolve(table, diagram))));
}

/** Signals by the unit that they are shown in, Booleans by themselves, in order of first appearance. */
export function byUnit(table: SignalTable, names: readonly string[]): DiagramOptions[] {
  const groups = new Map<string, string[]>();
  for (const name of names.flatMap((text) => signalsOf(table, text))) {
    const info = table.info(name)!;
    const key = info.type === 'Boolean' ? 'Boolean' : `unit ${displayOf(info.unit, info.displayUnit).unit}`;
    const group = groups.get(key);
    if (group) group.push(name);
    else groups.set(key, [name]);
  }
  return [...groups.values()].map((curves) => ({ curves }));
}

function rowsOf(layout: Exclude<Layout, string>): readonly (readonly (Diagram | null)[])[] {
  if (Array.isArray(layout)) return layout.map((diagram) => [diagram]);
  checkOptions(layout, { rows: kind.listOf(Array.isArray, 'a list of lists of diagrams') }, 'Layout');
  return (layout as { readonly rows: readonly (readonly (Diagram | null)[])[] }).rows;
}

function parseRows(table: SignalTable, text: string): (Diagram | null)[][] {
  if (table.has(text)) return [[text]];
  const rows = split(text, ';').map((row) =>
    split(row, '|').map((cell) => (cell.trim() === '' ? null : cell.trim())),
  );
  const empty = rows.findIndex((row) => row.every((cell) => cell === null));
  if (empty >= 0) throw new RangeError(`Row ${empty + 1} of the diagrams ${JSON.stringify(text)} is empty.`);
  return rows;
}

function resolve(table: SignalTable, diagram: Diagram): ResolvedDiagram {
  const { curves, over, heading } = optionsOf(table, diagram);
  const names = typeof curves === 'string' ? [curves] : curves;
  if (names.length === 0) throw new RangeError('A diagram has no curves.');
  return {
    signals: [...new Set(names.flatMap((name) => signalsOf(table, name)))],
    over: over === undefined || over === table.independents[0]!.name ? undefined : signalOf(table, over),
    heading: heading ?? '',
  };
}

function optionsOf(table: SignalTable, diagram: Diagram): DiagramOptions {
  if (typeof diagram === 'string') return table.has(diagram) ? { curves: diagram } : parseDiagram(diagram);
  if (Array.isArray(diagram)) return { curves: diagram };
  checkOptions(diagram, diagramKinds, 'Diagram');
  const options = diagram as DiagramOptions;
  if (options.curves === undefined) throw new RangeError('A diagram has no curves.');
  return options;
}

/** `"heading" a, b over x` */
function parseDiagram(text: string): DiagramOptions {
  const quoted = /^\s*"([^"]*)"(.*)$/s.exec(text);
  const [heading, rest] = quoted ? [quoted[1]!, quoted[2]!] : [undefined, text];
  const along = /^(.*\S)\s+over\s+(\S.*)$/s.exec(rest);
  const curves = split(along ? along[1]! : rest, ',').map((name) => name.trim());
  if (curves.includes('')) throw new RangeError(`A name is missing in the diagram ${JSON.stringify(text)}.`);
  return {
    curves,
    ...(along && { over: along[2]!.trim() }),
    ...(heading !== undefined && { heading }),
  };
}

/** All signals that a text means; of a glob only those that change. */
function signalsOf(table: SignalTable, text: string): string[] {
  if (table.has(text)) return [text];
  const names = table.expand(text);
  if (names.length === 0) throw unknown(table, text);
  const changing = /[*?]/.test(text) ? names.filter((name) => !table.isConstant(name)) : names;
  return changing.length > 0 ? changing : names;
}

function signalOf(table: SignalTable, text: string): string {
  const names = signalsOf(table, text);
  if (names.length === 1) return names[0]!;
  throw new RangeError(`${text} means ${names.length} signals, but an axis takes one.`);
}

function unknown(table: SignalTable, text: string): RangeError {
  const meant = table.nearest(text);
  return new RangeError(`There is no signal named ${text}.${meant ? ` Did you mean ${meant}?` : ''}`);
}

/** Parts between separators that stand neither in brackets nor in quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quote !== '') {
      if (c === '\\') i++;
      else if (c === quote) quote = '';
    } else if (c === "'" || c === '"') quote = c;
    else if (c === '(' || c === '[') depth++;
    else if (c === ')' || c === ']') depth--;
    else if (c === separator && depth <= 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}
