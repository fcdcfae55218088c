/** Which signals a plot shows when the user names none. */
import { grouped } from '../../collections/groups.ts';
import { countOf, nameAt, type Signal, type SignalInfo } from '../table/signal.ts';
import { arrayName, Signals } from '../table/signals.ts';
import type { SignalTable } from '../table/table.ts';
import { type Sizes, sizesOf } from './sizes.ts';
import { displayed } from './value.ts';

/** More curves than this nobody reads. */
const MOST = 8;

/**
 * States and outputs of the model itself first, then states of its components; where there are none, other variables of
 * the model, then anything that changes; numbers before truth values. Never constants, aliases of others (but outputs) or hidden variables; what is
 * zero all the time after all that is not. Of a long array, some elements from its first to its last. Variables with impulses are added where there is room.
 */
export function chooseSignals(table: SignalTable): string[] {
  return chosenBy(table, sizesOf(table));
}

function chosenBy(table: SignalTable, sizes: Sizes): string[] {
  const { reader } = table;
  const { drawable, best } = candidates(table);
  const moves = (name: string): boolean => sizes.get(reader.find(name)!) !== 0;
  const chosen = thinned(best, sizes.size > 0 ? moves : undefined);
  const struck = table.impulses.flatMap(({ variable }) => {
    const found = reader.signals.find(variable);
    return found && drawable.has(reader.signals.at(found.signal)) ? [variable] : [];
  });
  return [...new Set([...chosen, ...struck])].slice(0, MOST);
}

/** What a plot shows where no layout names signals. */
export interface Choice {
  readonly signals: readonly string[];
  /** How many other variables have impulses. */
  readonly unseen: number;
  /** How large the signals become, as they are shown, 0 where that is rounding; those that were looked at. */
  readonly sizes: Readonly<Record<string, number>>;
}

export function choiceOf(table: SignalTable): Choice {
  const all = sizesOf(table);
  const signals = chosenBy(table, all);
  const sizes = signals.flatMap((name) => {
    const size = all.get(table.reader.find(name)!);
    return size === undefined ? [] : [[name, size * displayed(table.info(name)!).scale] as const];
  });
  return { signals, unseen: unseenImpulses(table, signals), sizes: Object.fromEntries(sizes) };
}

/** How many others a choice could have shown as well: elements of arrays and variables for which there was no room. */
export function leftOut(table: SignalTable, chosen: readonly string[]): number {
  const { best } = candidates(table);
  const isBest = new Set(best);
  const { signals } = table.reader;
  const shown = chosen.filter((name) => {
    const found = signals.find(name);
    return found !== undefined && isBest.has(signals.at(found.signal));
  });
  return best.reduce((sum, signal) => sum + countOf(signal), 0) - shown.length;
}

/** Signals that can be drawn, and those among which is chosen. */
function candidates({ reader }: SignalTable): { drawable: ReadonlySet<Signal>; best: readonly Signal[] } {
  const ranked = [...reader.signals].flatMap((signal, n) => {
    const own = countOf(signal) > 0 ? rank(reader.infoOf(reader.signals.first(n))) : 4;
    return own < 4 ? [{ signal, rank: own, late: signal.info.type === 'Boolean' ? 1 : 0 }] : [];
  });
  const best = ranked.filter(({ rank }) => rank <= 1);
  const sorted = (best.length > 0 ? best : ranked).toSorted((a, b) => a.rank - b.rank || a.late - b.late);
  return { drawable: new Set(ranked.map(({ signal }) => signal)), best: sorted.map(({ signal }) => signal) };
}

/** How many variables have impulses that a choice of signals does not show; what is equal to another one, or its negative, does not count. */
function unseenImpulses(table: SignalTable, chosen: readonly string[]): number {
  const original = (name: string): string[] => {
    const info = table.info(name);
    return !info || info.hidden ? [] : [info.source.kind === 'alias' ? info.source.of : name];
  };
  const seen = new Set(chosen.flatMap(original));
  const struck = new Set(table.impulses.flatMap(({ variable }) => original(variable)));
  return [...struck].filter((name) => !seen.has(name)).length;
}

function rank({ name, role, hidden, source }: SignalInfo): number {
  if (hidden || source.kind === 'constant' || role === 'derivative' || role === 'parameter') return 4;
  const top = !name.includes('.') && !name.startsWith('der(');
  // Outputs of the model are what people look at, whatever they are equal to.
  if (source.kind === 'alias' && !(top && role === 'output')) return 4;
  if (role === 'state' || role === 'output') return top ? 0 : role === 'state' ? 1 : 3;
  return top ? 2 : 3;
}

/** Names that are formed where somebody asks for them. */
interface Names {
  readonly count: number;
  readonly at: (k: number) => string;
}

/**
 * At most `MOST` names; arrays share the room that is left, each with elements at equal distances. What moves comes before what does not; a long array is
 * shown as it is.
 */
function thinned(signals: readonly Signal[], moves: ((name: string) => boolean) | undefined): string[] {
  const arrays = [...grouped(signals, (signal) => arrayName(signal) ?? signal.info.name).values()].map(
    namesIn,
  );
  const moving = arrays.map((names) => (moves ? movingIn(names, moves) : names));
  const resting = arrays.filter((_, k) => moving[k]!.count === 0);
  const taken = [...moving.filter(({ count }) => count > 0), ...resting].slice(0, MOST);
  const chosen: string[] = [];
  for (const [k, names] of taken.entries())
    chosen.push(...spread(names, Math.floor((MOST - chosen.length) / (taken.length - k))));
  return chosen;
}

function namesIn(parts: readonly Signal[]): Names {
  const signals = new Signals(parts);
  const at = (k: number): string => {
    const { signal, place } = signals.owner(k);
    return nameAt(parts[signal]!, place);
  };
  return { count: signals.count, at };
}

function movingIn(all: Names, moves: (name: string) => boolean): Names {
  const names = Array.from({ length: all.count }, (_, k) => all.at(k)).filter(moves);
  return names.length > 0 && all.count > MOST ? all : { count: names.length, at: (k) => names[k]! };
}

/** Some of the names, the first and the last among them. */
function spread({ count, at }: Names, most: number): string[] {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, i) =>
    at(taken === 1 ? 0 : Math.round((i * (count - 1)) / (taken - 1))),
  );
}
