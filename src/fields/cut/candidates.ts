/** Which arrays may be part of a field: by their sizes, by what is declared of them, and by the places where they are mentioned. */

import type { FlatModel, FlatVariable } from '../../flat/flat.ts';
import type { Ref } from '../../symbolic/expr.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { type FieldNode, type LoopedEquation, referencesIn } from '../elements/nodes.ts';
import type { FieldValues } from '../elements/values.ts';
import { impactSymbols } from './impacts.ts';
import { isElement, orderOf, pinnedSymbols, References } from './references.ts';

/** Arrays of fewer elements stay scalars unless their sizes are parameters or their classes are marked. */
const leastElements = 16;

/** Why a variable that could be part of a field is not. */
export interface LeftOut {
  readonly symbol: number;
  readonly reason: string;
}

export class Candidates {
  /** By symbol: how often it is differentiated, at most. */
  readonly highest = new Map<number, number>();
  private pinnedSymbols: Set<number> | undefined;

  constructor(
    private readonly flat: FlatModel,
    private readonly values: FieldValues,
  ) {
    const references = new References((ref) => {
      const { symbol } = ref;
      const order = orderOf(ref);
      if (order > (this.highest.get(symbol) ?? 0)) this.highest.set(symbol, order);
    });
    for (const equation of this.flat.equations) references.inEquation(equation);
  }

  /** Adds what could be part of a field, but for its place, to `leftOut`. */
  find(units: readonly LoopedEquation[], leftOut: LeftOut[], least = leastElements): Set<number> {
    const found = new Set<number>();
    for (const [symbol, variable] of this.flat.variables.entries())
      if (isWorthwhile(variable, least) && this.fits(symbol, variable)) found.add(symbol);
    if (found.size === 0) return found;
    this.addCompanions(found, units);
    for (const symbol of this.pinned) found.delete(symbol);
    for (const symbol of impactSymbols(this.flat, (s) => this.highest.has(s))) {
      if (found.delete(symbol))
        leftOut.push({ symbol, reason: 'new values of states depend on its elements' });
    }
    return found;
  }

  /** Small arrays are worth loops where they stand in equations with whole arrays that are: `y[1] = C*x`. */
  private addCompanions(found: Set<number>, units: readonly LoopedEquation[]): void {
    for (const { body } of units) {
      const companions: number[] = [];
      let isWhole = false;
      new References((ref) => {
        const { symbol } = ref;
        const { dims } = this.flat.variables[symbol]!;
        if (found.has(symbol)) isWhole ||= !isElement(ref, dims);
        else if (dims.length > 0 && sizeOf(dims) > 0) companions.push(symbol);
      }).inEquation(body);
      if (isWhole)
        for (const symbol of companions)
          if (this.fits(symbol, this.flat.variables[symbol]!)) found.add(symbol);
    }
  }

  /** Whether nothing that is declared of a variable speaks against loops. */
  private fits(symbol: number, variable: FlatVariable): boolean {
    const { type, variability, causality, guard, engine, stateSelect } = variable;
    if (type !== 'Real' || variability !== 'continuous' || causality === 'input' || engine) return false;
    if (guard.length > 0 || !this.hasCommonBounds(variable)) return false;
    const order = this.highest.get(symbol) ?? 0;
    const isFixed = Array.isArray(variable.fixed) ? variable.fixed.includes(true) : variable.fixed === true;
    if (order === 0) return !isFixed && stateSelect !== 'always';
    return order === 1 && stateSelect !== 'never' && this.startIsKnown(variable);
  }

  /** Bounds are numbers for all elements alike. */
  hasCommonBounds({ min, max }: FlatVariable): boolean {
    return [min, max].every((bound) => !bound || this.values.number(bound) !== undefined);
  }

  /** A state begins with its start value, unless something else could determine it. */
  private startIsKnown({ fixed }: FlatVariable): boolean {
    if (fixed === true || (Array.isArray(fixed) && fixed.every((f) => f))) return true;
    return !this.hasInitialConditions;
  }

  get hasInitialConditions(): boolean {
    const { initialEquations, variables } = this.flat;
    return (
      initialEquations.length > 0 ||
      variables.some(({ fixed, variability }, symbol) => {
        if (variability === 'parameter') return fixed === false;
        return fixed === true && (this.highest.get(symbol) ?? 0) === 0 && variability === 'continuous';
      })
    );
  }

  /** A scalar that an equation over whole arrays may determine. */
  isFreeScalar({ symbol, order }: Ref): boolean {
    const variable = this.flat.variables[symbol]!;
    if (order > 0 || this.highest.has(symbol) || variable.dims.length > 0) return false;
    return this.fits(symbol, variable) && !this.pinned.has(symbol);
  }

  private get pinned(): Set<number> {
    this.pinnedSymbols ??= pinnedSymbols(this.flat);
    return this.pinnedSymbols;
  }
}

/** Equations that speak of single elements of an array; with more of them, or for more than a share of its elements, it is no array but in name. */
const mostSingle = 200;
const someSingle = 8;
const shareSingle = 1 / 8;

/** Arrays with too many equations of single elements. */
export function crowdedSymbols(
  nodes: readonly FieldNode[],
  active: ReadonlySet<number>,
  size: (symbol: number) => number,
): number[] {
  const counts = new Map<number, number>();
  for (const { left, right } of nodes) {
    const symbols = new Set(referencesIn(left, right).map(({ symbol }) => symbol));
    for (const symbol of symbols) if (active.has(symbol)) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  }
  const most = (symbol: number): number =>
    Math.min(mostSingle, Math.max(someSingle, shareSingle * size(symbol)));
  return [...counts].flatMap(([symbol, count]) => (count > most(symbol) ? [symbol] : []));
}

/** Large arrays are worth loops, and those that may be large in the next run. */
function isWorthwhile({ dims, resizable, within }: FlatVariable, least: number): boolean {
  const size = dims.length === 0 ? 0 : sizeOf(dims);
  const isWanted = resizable === true || within?.some(({ marked }) => marked) === true;
  return size >= least || (isWanted && size > 0);
}
