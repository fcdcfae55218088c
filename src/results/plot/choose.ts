/** Which signals a plot shows when the user names none. */
import { grouped } from '../../collections/groups.ts';
import { countOf, nameAt, type Signal, type SignalInfo } from '../table/signal.ts';
import { arrayName, Signals } from '../table/signals.ts';
import type { SignalTable } from '../table/table.ts';

/** More curves than this nobody reads. */
const MOST = 8;

/**
 * States and outputs of the model itself first, then states of its components; where there are none, other variables of
 * the model, then anything that changes; numbers before truth values. Never constants, aliases of others (but outputs) or hidden variables. Of a long array, some
 * elements from its first to its last. Variables with impulses are added where there is room.
 */
export function chooseSignals(table: SignalTable): string[] {
  const { reader } = table;
  const { drawable, best } = candidates(table);
  const chosen = thinned(best);
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
}

export function choiceOf(table: SignalTable): Choice {
  const signals = chooseSignals(table);
  return { signals, unseen: unseenImpulses(table, signals) };
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

/** At most `MOST` names; arrays share the room that is left, each with elements at equal distances. */
function thinned(signals: readonly Signal[]): string[] {
  const arrays = grouped(signals, (signal) => arrayName(signal) ?? signal.info.name);
  const chosen: string[] = [];
  let waiting = Math.min(arrays.size, MOST);
  for (const parts of [...arrays.values()].slice(0, MOST)) {
    chosen.push(...spread(parts, Math.floor((MOST - chosen.length) / waiting--)));
  }
  return chosen;
}

/** Names of `count` of the elements, the first and the last among them. */
function spread(parts: readonly Signal[], count: number): string[] {
  const signals = new Signals(parts);
  const last = signals.count - 1;
  const taken = Math.min(count, signals.count);
  return Array.from({ length: taken }, (_, i) => {
    const { signal, place } = signals.owner(taken === 1 ? 0 : Math.round((i * last) / (taken - 1)));
    return nameAt(parts[signal]!, place);
  });
}
