/** Which signals a plot shows when the user names none. */
import type { SignalInfo, SignalTable } from '../table.ts';

/** More curves than this nobody reads. */
const MOST = 8;

/**
 * States and outputs of the model itself first, then states of its components; where there are none, other variables of
 * the model, then anything that changes. Never constants, aliases of others or hidden variables.
 */
export function chooseSignals(table: SignalTable): string[] {
  const ranked = table.names
    .map((name) => ({ name, rank: rank(table.info(name)!) }))
    .filter(({ name, rank }) => rank < 4 && !table.isConstant(name));
  const best = ranked.filter(({ rank }) => rank <= 1);
  const chosen = best.length > 0 ? best : ranked;
  return chosen
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ name }) => name);
}

function rank({ name, role, hidden, source }: SignalInfo): number {
  if (hidden || source.kind !== 'trajectory' || role === 'derivative' || role === 'parameter') return 4;
  const top = !name.includes('.') && !name.startsWith('der(');
  if (role === 'state' || role === 'output') return top ? 0 : role === 'state' ? 1 : 3;
  return top ? 2 : 3;
}
