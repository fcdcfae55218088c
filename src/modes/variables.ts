/**
 * Flat variables as scalars: an array is one scalar for each of its elements, in row-major order. The scalars of a uniform array
 * of components lie element by element: all those of `c[1]`, then all those of `c[2]`.
 */
import { elementName } from '../flat/families.ts';
import type { FlatEquation, FlatModel, FlatVariable } from '../flat/flat.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { sizeOf } from '../symbolic/shape.ts';
import type { GuardedModel, Scalar, ScalarKind } from './guarded.ts';

/** The scalars of a variable, without the attributes that are expressions. */
export function* scalarsOf(variable: FlatVariable, isAssignedInWhen: boolean): Generator<Scalar> {
  const kind = kindOf(variable, isAssignedInWhen);
  const size = sizeOf(variable.dims);
  for (let element = 0; element < size; element++) {
    yield {
      name: elementName(variable, element),
      kind,
      type: variable.type === 'String' ? 'Real' : variable.type,
      variable,
      element,
      start: undefined,
      startSymbol: undefined,
      fixed: Array.isArray(variable.fixed) ? variable.fixed[element] === true : variable.fixed === true,
      binding: undefined,
      nominal: undefined,
      min: undefined,
      max: undefined,
    };
  }
}

/** The start value of a scalar as code reads it; zero where none is declared. */
export function startValue(pool: Pool, { start, startSymbol }: Scalar): Expr {
  return startSymbol === undefined ? (start ?? pool.zero) : pool.ref(startSymbol);
}

/** Variables that when-equations assign are discrete, whatever their type. */
export function assignedInWhen(flat: FlatModel): Set<number> {
  const symbols = new Set<number>();
  const visit = (equation: FlatEquation): void => {
    if (equation.kind === 'for') equation.body.forEach(visit);
    if (equation.kind === 'if') for (const branch of equation.branches) branch.body.forEach(visit);
    if (equation.kind !== 'when') return;
    for (const branch of equation.branches) {
      for (const action of branch.body) {
        if (action.kind === 'assign' && action.target.kind === 'ref') symbols.add(action.target.symbol);
      }
    }
  };
  flat.equations.forEach(visit);
  return symbols;
}

function kindOf(variable: FlatVariable, assignedInWhen: boolean): ScalarKind {
  if (variable.variability === 'parameter' || variable.variability === 'constant') return 'parameter';
  if (variable.engine) return 'flag';
  if (variable.causality === 'input') return 'input';
  if (assignedInWhen || variable.variability === 'discrete' || variable.type !== 'Real') return 'discrete';
  return 'continuous';
}

/** The scalars of each variable, by row-major number of the element. */
export function elementSymbols(scalars: readonly Scalar[]): Map<FlatVariable, number[]> {
  const found = new Map<FlatVariable, number[]>();
  for (const [symbol, { variable, element }] of scalars.entries()) {
    if (!variable) continue;
    let symbols = found.get(variable);
    if (!symbols) found.set(variable, (symbols = []));
    symbols[element] = symbol;
  }
  return found;
}

/** Where the scalars of each variable lie. */
export class Layout {
  /** How many scalars there are. */
  readonly size: number;
  private readonly variables: readonly FlatVariable[];
  /** Scalar of the first element, by variable; -1 where there is none. */
  private readonly base: Int32Array;
  private readonly apart: ReadonlySet<number>;
  /** By variable of uniform arrays: how many elements each array has, and how far they lie apart; outermost first. */
  private readonly arrays: (readonly Arrayed[] | undefined)[];

  /** Variables that are kept `apart` have no scalars until they are added. */
  constructor(variables: readonly FlatVariable[], apart: ReadonlySet<number> = new Set()) {
    this.variables = variables;
    this.base = new Int32Array(variables.length).fill(-1);
    this.apart = apart;
    this.arrays = variables.map((variable) => arraysOf(variable));
    this.size = this.place(0, variables.length, 0, 0);
  }

  /** Whether a variable has scalars. */
  has(symbol: number): boolean {
    return this.base[symbol]! >= 0;
  }

  /** Gives a variable that was kept apart its scalars. */
  add(symbol: number, first: number): void {
    this.base[symbol] = first;
  }

  /** The scalar of an element of a variable, by its row-major number. */
  at(symbol: number, element: number): number {
    const arrays = this.arrays[symbol];
    if (!arrays) return this.base[symbol]! + element;
    let inner = sizeOf(this.variables[symbol]!.dims);
    let rest = element;
    let position = this.base[symbol]!;
    for (const { size, stride } of arrays) {
      inner /= size;
      position += Math.floor(rest / inner) * stride;
      rest %= inner;
    }
    return position + rest;
  }

  /** Places variables from a scalar on, those of each array of the given depth in turn; returns what follows. */
  private place(from: number, to: number, depth: number, start: number): number {
    let next = start;
    for (let symbol = from; symbol < to; ) {
      if (this.apart.has(symbol)) {
        symbol++;
        continue;
      }
      const array = this.arrays[symbol]?.[depth];
      if (!array) {
        const { dims } = this.variables[symbol]!;
        const outer = this.arrays[symbol]?.reduce((n, { size }) => n * size, 1) ?? 1;
        this.base[symbol++] = next;
        next += outer === 0 ? 0 : sizeOf(dims) / outer;
        continue;
      }
      let end = symbol + 1;
      while (end < to && this.arrays[end]?.[depth]?.path === array.path) end++;
      const stride = this.place(symbol, end, depth + 1, next) - next;
      for (let k = symbol; k < end; k++) this.arrays[k]![depth]!.stride = stride;
      next += array.size * stride;
      symbol = end;
    }
    return next;
  }
}

/** A uniform array around a variable. */
interface Arrayed {
  readonly path: string;
  readonly size: number;
  /** From the scalars of one element to those of the next. */
  stride: number;
}

/** Variables without elements have no place in the arrays around them: those that loops compute are left empty. */
function arraysOf({ name, places, dims }: FlatVariable): Arrayed[] | undefined {
  if (!places || places.length === 0 || sizeOf(dims) === 0) return undefined;
  const arrays: Arrayed[] = [];
  for (let d = 0; d < places.length; ) {
    let end = d + 1;
    while (places[end] === places[d]) end++;
    arrays.push({ path: name.slice(0, places[d]), size: sizeOf(dims.slice(d, end)), stride: 0 });
    d = end;
  }
  return arrays;
}

/** Parameters that initial equations determine (`fixed = false`), and those whose values depend on them, in order of symbols. */
export function openParameters({ scalars }: Pick<GuardedModel, 'scalars'>): Set<number> {
  const open = new Set<number>();
  for (const [symbol, { kind, variable, binding }] of scalars.entries())
    if (kind === 'parameter' && variable?.fixed === false && !binding) open.add(symbol);
  for (let size = -1; open.size > 0 && size < open.size; ) {
    size = open.size;
    for (const [symbol, { kind, variable, binding }] of scalars.entries())
      if (kind === 'parameter' && binding && variable?.type !== 'String' && uses(binding, open))
        open.add(symbol);
  }
  return open;
}

function uses(expr: Expr, symbols: ReadonlySet<number>): boolean {
  return leaves(expr).some((leaf) => leaf.kind === 'ref' && symbols.has(leaf.symbol));
}
