/**
 * Flat variables as scalars: an array is one scalar for each of its elements, in row-major order. The scalars of a uniform array
 * of components lie element by element: all those of `c[1]`, then all those of `c[2]`; those of gathered components lie where the component
 * was declared.
 */
import { remember } from '../collections/memo.ts';
import { elementName } from '../flat/core/families.ts';
import type { FlatEquation, FlatModel, FlatVariable, Gathered } from '../flat/flat.ts';
import { leaves } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { sizeOf } from '../symbolic/shape.ts';
import { auxiliary } from './events.ts';
import type { GuardedModel, Scalar, ScalarKind } from './guarded.ts';

/** The scalars of a variable, without the attributes that are expressions. */
export function* scalarsOf(variable: FlatVariable, isAssignedInWhen: boolean): Generator<Scalar> {
  const kind = kindOf(variable, isAssignedInWhen);
  const size = sizeOf(variable.dims);
  for (let element = 0; element < size; element++) {
    yield {
      ...auxiliary(
        elementName(variable, element),
        kind,
        variable.type === 'String' ? 'Integer' : variable.type,
      ),
      variable,
      element,
      fixed: Array.isArray(variable.fixed) ? variable.fixed[element] === true : variable.fixed === true,
    };
  }
}

/** The start value of a scalar as code reads it. */
export function startValue(pool: Pool, scalar: Scalar): Expr {
  const { start, startSymbol } = scalar;
  return startSymbol === undefined ? (start ?? pool.const(undeclaredStart(scalar))) : pool.ref(startSymbol);
}

/** The start value where none is declared: zero, false, or the first literal of an enumeration (specification 3.6, section 4.9). */
export const undeclaredStart = ({ variable }: Scalar): number => (variable?.literals ? 1 : 0);

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
  if (variable.causality === 'input' && !variable.driven) return 'input';
  if (assignedInWhen || variable.variability === 'discrete' || variable.type !== 'Real') return 'discrete';
  return 'continuous';
}

/** The scalars of each variable, by row-major number of the element. */
export function elementSymbols(scalars: readonly Scalar[]): Map<FlatVariable, number[]> {
  const found = new Map<FlatVariable, number[]>();
  for (const [symbol, { variable, element }] of scalars.entries()) {
    if (!variable) continue;
    remember(found, variable, () => [])[element] = symbol;
  }
  return found;
}

/** Where the scalars of each variable lie. */
export class ScalarLayout {
  /** How many scalars there are. */
  readonly size: number;
  /** Scalar of the first element, by variable; -1 where there is none. */
  private readonly base: Int32Array;
  /** By variable of uniform arrays: how many elements each array has, and how far they lie apart; outermost first. */
  private readonly arrays: (readonly Arrayed[] | undefined)[];

  /** Variables that are kept `apart` have no scalars until they are added. */
  constructor(
    private readonly variables: readonly FlatVariable[],
    private readonly apart: ReadonlySet<number> = new Set(),
  ) {
    this.base = new Int32Array(variables.length).fill(-1);
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
    for (const { size, stride, offsets } of arrays) {
      inner /= size;
      const number = Math.floor(rest / inner);
      position += offsets ? offsets[number]! : number * stride;
      rest %= inner;
    }
    return position + rest;
  }

  /** Places variables from a scalar on, those of each array of the given depth in turn; returns what follows. */
  private place(from: number, to: number, depth: number, start: number): number {
    const blocks = this.blocksOf(from, to, depth);
    if (blocks.some(({ gathered }) => gathered)) return this.placeInTurn(blocks, depth, start);
    let next = start;
    for (const block of blocks) next += block.count * this.placeFirst(block, depth, next);
    return next;
  }

  /** Single variables, and the variables of arrays of the given depth. */
  private blocksOf(from: number, to: number, depth: number): Block[] {
    const blocks: Block[] = [];
    for (let symbol = from; symbol < to; ) {
      const array = this.arrays[symbol]?.[depth];
      let end = symbol + 1;
      if (array) while (end < to && this.arrays[end]?.[depth]?.path === array.path) end++;
      // Variables of the vector part have no elements here.
      let count = array ? 0 : 1;
      for (let k = symbol; array && k < end; k++) count = Math.max(count, this.arrays[k]![depth]!.size);
      blocks.push({ from: symbol, to: end, count, array: array !== undefined, gathered: array?.gathered });
      symbol = end;
    }
    return blocks;
  }

  /** Places a variable, or the first element of an array; returns its size. */
  private placeFirst({ from, to, array }: Block, depth: number, start: number): number {
    if (array) {
      const stride = this.place(from, to, depth + 1, start) - start;
      for (let k = from; k < to; k++) this.arrays[k]![depth]!.stride = stride;
      return stride;
    }
    if (this.apart.has(from)) return 0;
    const outer = this.arrays[from]?.reduce((n, { size }) => n * size, 1) ?? 1;
    this.base[from] = start;
    return outer === 0 ? 0 : sizeOf(this.variables[from]!.dims) / outer;
  }

  /** The same where components were gathered: each has its place in the order of declaration. */
  private placeInTurn(blocks: readonly Block[], depth: number, start: number): number {
    const items = blocks.flatMap((block) => {
      const turn = this.variables[block.from]!.turn ?? Number.POSITIVE_INFINITY;
      if (!block.gathered) return [{ block, turn, element: 0 }];
      const { turns } = block.gathered;
      return Array.from({ length: block.count }, (_, element) => ({ block, turn: turns[element]!, element }));
    });
    items.sort((a, b) => (a.turn === b.turn ? 0 : a.turn - b.turn));
    let next = start;
    const placed = new Map<Block, { first: number; stride: number; offsets: Int32Array }>();
    for (const { block, element } of items) {
      const own = remember(placed, block, () => {
        const stride = this.placeFirst(block, depth, next);
        const offsets = new Int32Array(block.count);
        if (block.gathered)
          for (let k = block.from; k < block.to; k++) this.arrays[k]![depth]!.offsets = offsets;
        return { first: next, stride, offsets };
      });
      own.offsets[element] = next - own.first;
      next += own.stride * (block.gathered ? 1 : block.count);
    }
    return next;
  }
}

/** What lies together: a variable, or all variables of an array. */
interface Block {
  readonly from: number;
  readonly to: number;
  /** How many elements the array has. */
  readonly count: number;
  readonly array: boolean;
  readonly gathered: Gathered | undefined;
}

/** A uniform array around a variable. */
interface Arrayed {
  readonly path: string;
  readonly size: number;
  readonly gathered: Gathered | undefined;
  /** From the scalars of one element to those of the next. */
  stride: number;
  /** From the scalars of the first element to those of each, where they do not follow each other. */
  offsets?: Int32Array;
}

function arraysOf({ within, dims }: FlatVariable): Arrayed[] | undefined {
  let d = 0;
  return within?.map(({ path, rank, gathered }) => {
    return { path, size: sizeOf(dims.slice(d, (d += rank))), gathered, stride: 0 };
  });
}

/** Parameters that initial equations determine (`fixed = false`), and those whose values depend on them, in order of symbols. */
export function openParameters({ scalars }: Pick<GuardedModel, 'scalars'>): Set<number> {
  const open = new Set<number>();
  for (const [symbol, { kind, variable, binding }] of scalars.entries())
    if (kind === 'parameter' && variable?.fixed === false && !binding) open.add(symbol);
  const uses = (expr: Expr) => leaves(expr).some((leaf) => leaf.kind === 'ref' && open.has(leaf.symbol));
  for (let size = -1; open.size > 0 && size < open.size; ) {
    size = open.size;
    for (const [symbol, { kind, variable, binding }] of scalars.entries())
      if (kind === 'parameter' && binding && variable?.type !== 'String' && uses(binding)) open.add(symbol);
  }
  return open;
}
