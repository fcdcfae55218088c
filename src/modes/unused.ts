/**
 * Array parameters that nothing uses. Their sizes are no part of the structure, so they need no scalars: a component without code holds
 * them, as it holds the data of components that have code (`components.ts`).
 */
import type { BuiltIn } from '../builtin/component.ts';
import type { FlatComponent, FlatModel, FlatVariable } from '../flat/flat.ts';

/** The component that holds them. */
export const dataOnly: BuiltIn = {
  name: 'data',
  allocate: () => undefined,
  begin: () => {},
  save: () => undefined,
  load: () => {},
};

export function withUnused(flat: FlatModel): FlatModel {
  const candidates = [...flat.variables.entries()].filter(([, variable]) => isCandidate(variable));
  if (candidates.length === 0) return flat;
  const used = symbolsIn(flat);
  const unused = candidates.filter(([symbol]) => !used.has(symbol));
  if (unused.length === 0) return flat;
  const data: FlatComponent = {
    path: '',
    builtIn: dataOnly,
    inputs: [],
    outputs: [],
    parameters: new Map(unused.map(([symbol, { name }]) => [name, symbol])),
    equations: undefined,
    guard: [],
    origin: unused[0]![1].origin,
  };
  return { ...flat, components: [...flat.components, data] };
}

/** An array whose size may be another one in the next run. */
const isCandidate = ({ variability, resizable, within, type, binding, fixed }: FlatVariable): boolean =>
  variability === 'parameter' &&
  resizable === true &&
  !within &&
  type !== 'String' &&
  binding !== undefined &&
  fixed !== false;

/** Where no symbols are: places in texts, and code. */
const elsewhere: ReadonlySet<string> = new Set(['pool', 'origin', 'span', 'builtIn', 'dims']);

/** All symbols that anything in a flat model speaks of; rather too many than too few. */
function symbolsIn(flat: FlatModel): Set<number> {
  const symbols = new Set<number>();
  const seen = new Set<object>();
  const open: unknown[] = [flat];
  const visit = (key: string, value: unknown): void => {
    if (typeof value === 'number' && key === 'symbol') symbols.add(value);
    else if (typeof value === 'object' && value !== null && !elsewhere.has(key)) open.push(value);
  };
  while (open.length > 0) {
    const item = open.pop() as object;
    if (seen.has(item) || ArrayBuffer.isView(item)) continue;
    seen.add(item);
    if (item instanceof Map || item instanceof Set) {
      for (const entry of item instanceof Map ? [...item.keys(), ...item.values()] : item)
        visit('symbol', entry);
    } else for (const [key, value] of Object.entries(item)) visit(key, value);
  }
  return symbols;
}
