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
 *     log(p, q)          a logarithmic axis; also of what is below: y over log(x)
 *     map(T)             the elements of an array over the time, values as colours
 *     profile(T)         the values of an array over its index, at some times: profile(T at 0, 10, 60)
 *
 * A name may be an array or a part of it (`T[2:5]`) or a glob, and then stands for all of its elements.
 */
import { grouped } from '../../collections/groups.ts';
import { checkOptions, kind, type OptionKind, type OptionKinds } from '../../diagnostic/options.ts';
import { elementOf } from '../../names/names.ts';
import { splitOutside } from '../table/glob.ts';
import { noSignal, type SignalTable } from '../table/table.ts';
import { displayed, isNamed } from './value.ts';

/** A diagram: a text, several names, or these with what is to be said of them. */
export type Diagram = string | readonly string[] | DiagramOptions;

export interface DiagramOptions {
  readonly curves: string | readonly string[];
  /** Curves where it is left out; of an array also its values over the index at some times, or as colours over index and time. */
  readonly as?: 'curves' | 'profile' | 'map';
  /** The times of a profile, in the unit of the time axis of the table; some from all of the run where it is left out. */
  readonly at?: readonly number[];
  /** The signal along the horizontal axis; the time where it is left out. */
  readonly over?: string;
  readonly heading?: string;
  /** A logarithmic axis of values. */
  readonly log?: boolean;
  /** A logarithmic horizontal axis. */
  readonly logOver?: boolean;
}

const names: OptionKind = {
  is: (value) => kind.text.is(value) || (Array.isArray(value) && value.every(kind.text.is)),
  what: 'a name or a list of names',
};
const diagramKinds: OptionKinds<DiagramOptions> = {
  curves: names,
  as: kind.oneOf('curves', 'profile', 'map'),
  at: kind.listOf(Number.isFinite, 'a list of times'),
  over: kind.text,
  heading: kind.text,
  log: kind.flag,
  logOver: kind.flag,
};

/** Diagrams above each other, or in rows; a text holds any of them. */
export type Layout =
  | string
  | readonly Diagram[]
  | { readonly rows: readonly (readonly (Diagram | null)[])[] };

/** A diagram whose names are those of signals of the tables. */
export interface ResolvedDiagram
  extends Required<Pick<DiagramOptions, 'as' | 'heading' | 'log' | 'logOver'>>,
    Pick<DiagramOptions, 'over' | 'at'> {
  readonly signals: readonly string[];
}

/** Rows of diagrams. */
export type DiagramGrid = readonly (readonly (ResolvedDiagram | undefined)[])[];

/**
 * Finds the signals of a layout: those that at least one of the tables has. Throws a `RangeError` for names that do not exist and texts that are
 * no layout.
 */
export function resolveLayout(tables: readonly SignalTable[], layout: Layout): DiagramGrid {
  const rows = typeof layout === 'string' ? parseRows(tables, layout) : rowsOf(layout);
  return rows.map((row) => row.map((diagram) => (diagram === null ? undefined : resolve(tables, diagram))));
}

/** Arrays with more elements than this are drawn as colours: so many curves cannot be told apart. */
const MOST_ELEMENTS = 16;

/**
 * Signals by the unit that they are shown in; Booleans and enumerations by themselves, and every long array, as colours. In order of first
 * appearance.
 */
export function byUnit(table: SignalTable, names: readonly string[]): DiagramOptions[] {
  const all = [...new Set(names.flatMap((text) => signalsOf([table], text)))];
  const arrayOf = (name: string): string | undefined => elementOf(name)?.array;
  const arrays = grouped(all, arrayOf);
  const isLong = (name: string): boolean => (arrays.get(arrayOf(name)!)?.length ?? 0) > MOST_ELEMENTS;
  const groups = grouped(all, (name) => {
    const info = table.info(name)!;
    if (isLong(name)) return `array ${arrayOf(name)}`;
    return isNamed(info) ? 'names' : `unit ${displayed(info).unit}`;
  });
  return [...groups.values()].map((curves) => (isLong(curves[0]!) ? { curves, as: 'map' } : { curves }));
}

/** Curves beside others that are more times as large look like zero. */
const MOST_RATIO = 50;

/**
 * The diagrams with curves of very different sizes in several of them, the larger ones first; elements of an array stay together, and what is zero stays
 * where the largest are.
 */
export function bySize(
  diagrams: readonly DiagramOptions[],
  sizes: Readonly<Record<string, number>>,
): DiagramOptions[] {
  return diagrams.flatMap((diagram) => {
    if (diagram.as === 'map') return [diagram];
    const names = diagram.curves as readonly string[];
    const parts = [...grouped(names, (name) => elementOf(name)?.array ?? name).values()].map((own) => ({
      own,
      size: Math.max(...own.map((name) => sizes[name] ?? 0)),
    }));
    const tops: number[] = [];
    for (const { size } of parts.toSorted((a, b) => b.size - a.size))
      if (tops.length === 0 || (size > 0 && size * MOST_RATIO < tops.at(-1)!)) tops.push(size);
    const placeOf = new Map(
      parts.flatMap(({ own, size }) => {
        const place = size > 0 ? tops.findLastIndex((top) => size <= top) : 0;
        return own.map((name) => [name, place] as const);
      }),
    );
    return tops.map((_, place) => ({
      ...diagram,
      curves: names.filter((name) => placeOf.get(name) === place),
    }));
  });
}

function rowsOf(layout: Exclude<Layout, string>): readonly (readonly (Diagram | null)[])[] {
  if (Array.isArray(layout)) return layout.map((diagram) => [diagram]);
  checkOptions(layout, { rows: kind.listOf(Array.isArray, 'a list of lists of diagrams') }, 'Layout');
  return (layout as { readonly rows: readonly (readonly (Diagram | null)[])[] }).rows;
}

const has = (tables: readonly SignalTable[], name: string): boolean =>
  tables.some((table) => table.has(name));

function parseRows(tables: readonly SignalTable[], text: string): (Diagram | null)[][] {
  if (has(tables, text)) return [[text]];
  const rows = splitOutside(text, ';').map((row) =>
    splitOutside(row, '|').map((cell) => (cell.trim() === '' ? null : cell.trim())),
  );
  const empty = rows.findIndex((row) => row.every((cell) => cell === null));
  if (empty >= 0) throw new RangeError(`Row ${empty + 1} of the diagrams ${JSON.stringify(text)} is empty.`);
  return rows;
}

function resolve(tables: readonly SignalTable[], diagram: Diagram): ResolvedDiagram {
  const options = optionsOf(tables, diagram);
  const { curves, as = 'curves', over, heading = '', log = false, logOver = false, at } = options;
  const names = typeof curves === 'string' ? [curves] : curves;
  if (names.length === 0) throw new RangeError('A diagram has no curves.');
  if (as !== 'curves' && over !== undefined)
    throw new RangeError(`A ${as} has axes of its own: it cannot be drawn over ${over}.`);
  if (as === 'map' && log) throw new RangeError('A map has no logarithmic axis.');
  if (as !== 'profile' && at !== undefined)
    throw new RangeError(`Times are those of a profile, but ${names.join(', ')} are drawn as ${as}.`);
  const isTime = over === undefined || tables.some(({ independents }) => independents[0]!.name === over);
  return {
    as,
    signals: [...new Set(names.flatMap((name) => signalsOf(tables, name)))],
    over: isTime ? undefined : signalOf(tables, over),
    ...{ heading, log, logOver, at },
  };
}

function optionsOf(tables: readonly SignalTable[], diagram: Diagram): DiagramOptions {
  if (typeof diagram === 'string')
    return has(tables, diagram) ? { curves: diagram } : parseDiagram(tables, diagram);
  if (Array.isArray(diagram)) return { curves: diagram };
  checkOptions(diagram, diagramKinds, 'Diagram');
  const options = diagram as DiagramOptions;
  if (options.curves === undefined) throw new RangeError('A diagram has no curves.');
  return options;
}

/** `"heading" log(a, b) over log(x)` */
function parseDiagram(tables: readonly SignalTable[], text: string): DiagramOptions {
  const quoted = /^\s*"([^"]*)"(.*)$/s.exec(text);
  const [heading, rest] = quoted ? [quoted[1]!, quoted[2]!] : [undefined, text];
  const along = /^(.*\S)\s+over\s+(\S.*)$/s.exec(rest);
  const logOver = along ? argument(tables, along[2]!, 'log') : undefined;
  const whole = (along ? along[1]! : rest).trim();
  const log = argument(tables, whole, 'log');
  return {
    ...parseCurves(tables, log ?? whole, text),
    ...(along && { over: (logOver ?? along[2]!).trim() }),
    ...(heading !== undefined && { heading }),
    ...(log !== undefined && { log: true }),
    ...(logOver !== undefined && { logOver: true }),
  };
}

function parseCurves(
  tables: readonly SignalTable[],
  text: string,
  whole: string,
): Pick<DiagramOptions, 'curves' | 'as' | 'at'> {
  const listed = (list: string): string[] => {
    const curves = splitOutside(list, ',').map((name) => name.trim());
    if (curves.includes(''))
      throw new RangeError(`A name is missing in the diagram ${JSON.stringify(whole)}.`);
    return curves;
  };
  const map = argument(tables, text, 'map');
  if (map !== undefined) return { curves: listed(map), as: 'map' };
  const profile = argument(tables, text, 'profile');
  if (profile === undefined) return { curves: listed(text) };
  const timed = /^(.*\S)\s+at\s+(\S.*)$/s.exec(profile);
  if (!timed) return { curves: listed(profile), as: 'profile' };
  const at = timed[2]!.split(',').map((time) => (time.trim() === '' ? Number.NaN : Number(time)));
  if (!at.every(Number.isFinite))
    throw new RangeError(
      `${JSON.stringify(timed[2])} in the diagram ${JSON.stringify(whole)} is no list of times.`,
    );
  return { curves: listed(timed[1]!), as: 'profile', at };
}

/** What stands in the parentheses of `word(…)`; undefined where a text is anything else, or the name of a signal. */
function argument(tables: readonly SignalTable[], text: string, word: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(`${word}(`) || !trimmed.endsWith(')') || has(tables, trimmed)) return undefined;
  let depth = 0;
  for (let i = word.length; i < trimmed.length; i++) {
    if (trimmed[i] === '(') depth++;
    else if (trimmed[i] === ')' && --depth === 0 && i < trimmed.length - 1) return undefined;
  }
  return depth === 0 ? trimmed.slice(word.length + 1, -1) : undefined;
}

/** All signals that a text means; of a glob only those that change. */
function signalsOf(tables: readonly SignalTable[], text: string): string[] {
  if (has(tables, text)) return [text];
  const found = tables.flatMap((table) => {
    const names = table.expand(text);
    const changing = /[*?]/.test(text) ? names.filter((name) => !table.isConstant(name)) : names;
    return changing.length > 0 ? changing : names;
  });
  if (found.length === 0) throw noSignal(tables, text);
  return [...new Set(found)];
}

function signalOf(tables: readonly SignalTable[], text: string): string {
  const names = signalsOf(tables, text);
  if (names.length === 1) return names[0]!;
  throw new RangeError(`${text} means ${names.length} signals, but an axis takes one.`);
}
