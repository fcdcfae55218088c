/** Which signals a plot shows when the user names none. */
import type { SignalInfo, SignalTable } from '../table.ts';

/** More curves than this nobody reads. */
const MOST = 8;

/**
 * States and outputs of the model itself first, then states of its components; where there are none, other variables of
 * the model, then anything that changes. Never constants, aliases of others or hidden variables. Of a long array, some
 * elements from its first to its last. Variables with impulses are added where there is room.
 */
export function chooseSignals(table: SignalTable): string[] {
  const ranked = table.names
    .map((name) => ({ name, rank: rank(table.info(name)!) }))
    .filter(({ name, rank }) => rank < 4 && !table.isConstant(name));
  const best = ranked.filter(({ rank }) => rank <= 1);
  const sorted = (best.length > 0 ? best : ranked).sort((a, b) => a.rank - b.rank);
  const chosen = thinned(sorted.map(({ name }) => name));
  const struck = table.impulses
    .map(({ variable }) => variable)
    .filter((name) => ranked.some((r) => r.name === name));
  return [...new Set([...chosen, ...struck])].slice(0, MOST);
}

function rank({ name, role, hidden, source }: SignalInfo): number {
  if (hidden || source.kind !== 'trajectory' || role === 'derivative' || role === 'parameter') return 4;
  const top = !name.includes('.') && !name.startsWith('der(');
  if (role === 'state' || role === 'output') return top ? 0 : role === 'state' ? 1 : 3;
  return top ? 2 : 3;
}

/** At most `MOST` names; arrays share the room that is left, each with elements at equal distances. */
function thinned(names: readonly string[]): string[] {
  const arrays = new Map<string, string[]>();
  for (const name of names) {
    const array = name.replace(/\[[^[\]]*\]$/, '');
    const elements = arrays.get(array);
    if (elements) elements.push(name);
    else arrays.set(array, [name]);
  }
  const chosen: string[] = [];
  let waiting = Math.min(arrays.size, MOST);
  for (const elements of [...arrays.values()].slice(0, MOST)) {
    chosen.push(...spread(elements, Math.floor((MOST - chosen.length) / waiting--)));
  }
  return chosen;
}

/** `count` of the elements, the first and the last among them. */
function spread(elements: readonly string[], count: number): string[] {
  if (elements.length <= count) return [...elements];
  if (count === 1) return [elements[0]!];
  const step = (elements.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, i) => elements[Math.round(i * step)]!);
}
