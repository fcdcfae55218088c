/** Parameters of the vector part: which arrays are known to it alone, so that loops compute them as well. */
import type { FlatEquation, FlatModel, FlatVariable } from '../../flat/flat.ts';
import type { Kernel } from '../elements/kernel.ts';
import { referencesIn } from '../elements/nodes.ts';
import type { Match } from '../sorting/match.ts';
import type { Once } from '../sorting/prepared.ts';
import { pinnedSymbols, References } from './references.ts';

/** Array parameters that nothing but the field uses, as far as their values are formulas. */
export function ownParameters(
  flat: FlatModel,
  kernels: readonly Kernel[],
  once: Once,
  equations: readonly FlatEquation[],
  inside: ReadonlySet<number>,
  hasBounds: (variable: FlatVariable) => boolean,
): Set<number> {
  const formulas = new Map<number, readonly Match[]>();
  const open = new Set([...readSymbols(kernels), ...once.read()]);
  for (const symbol of open) {
    const variable = flat.variables[symbol];
    const formula =
      variable && isOwnable(variable) && hasBounds(variable)
        ? once.formula(symbol, variable.binding!, variable)
        : undefined;
    if (!formula) continue;
    formulas.set(symbol, formula);
    for (const { value } of formula) for (const access of referencesIn(value)) open.add(access.symbol);
  }
  // What is used by something that is not the field's own is not either.
  for (let count = -1; count !== formulas.size; ) {
    count = formulas.size;
    const used = usedElsewhere(flat, equations, inside, formulas);
    for (const symbol of formulas.keys()) if (used.has(symbol)) formulas.delete(symbol);
  }
  for (const formula of formulas.values()) once.add(formula);
  return new Set(formulas.keys());
}

/** What the scalar part speaks of: its equations, and attributes of all variables but those of the field. */
function usedElsewhere(
  flat: FlatModel,
  equations: readonly FlatEquation[],
  inside: ReadonlySet<number>,
  own: ReadonlyMap<number, unknown>,
): Set<number> {
  const used = pinnedSymbols({ ...flat, variables: [] });
  const references = new References(({ symbol }) => used.add(symbol));
  for (const equation of equations) references.inEquation(equation);
  for (const { value } of flat.conditions) references.in(value);
  for (const { inputs, parameters } of flat.components) {
    for (const { value } of inputs) references.in(value);
    for (const symbol of parameters.values()) used.add(symbol);
  }
  for (const [symbol, variable] of flat.variables.entries())
    if (!inside.has(symbol) && !own.has(symbol)) references.inAttributes(variable);
  return used;
}

/** Whether the values of an array parameter may be known to the field alone. */
function isOwnable({ binding, dims, type, fixed, guard, variability }: FlatVariable): boolean {
  if (!binding || dims.length === 0 || type === 'String' || fixed === false || guard.length > 0) return false;
  return variability === 'parameter' || variability === 'constant';
}

/** What kernels read. */
export function readSymbols(kernels: readonly Kernel[]): Set<number> {
  const values = kernels.flatMap(({ statements }) => statements.map(({ value }) => value));
  return new Set(values.flatMap((value) => referencesIn(value).map(({ symbol }) => symbol)));
}
