/**
 * Sorting a system of algebraic equations into blocks that are computed one after the other. Every `Ref` is
 * an unknown of its own, whatever its order; everything else in the equations is known. Used for the
 * equations of a mode, for initial systems and for restarts.
 *
 * Required equations are matched first; optional ones then join one by one, in their order, as long as an
 * augmenting path exists, until the system is square. Blocks of one equation become assignments where the
 * unknown can be isolated without dividing by something that may vanish; others are torn, or left whole when
 * large.
 */
import { type Incidence, incidenceOf } from '../collections/incidence.ts';
import { Matching } from '../collections/matching.ts';
import { remember } from '../collections/memo.ts';
import { isLinearIn, leaves } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { solveFor } from '../symbolic/solve.ts';
import type { Block, SolveBlock } from './analysis.ts';
import { sortBlocks } from './graph/blt.ts';
import { dulmageMendelsohn, type GraphPart } from './graph/decomposition.ts';
import { tear } from './graph/tearing.ts';
import { isNonzero, type Knowledge, spread } from './nonzero.ts';

/** `left = right`; a residual is written as `residual = 0`. */
export interface SystemEquation {
  readonly left: Expr;
  readonly right: Expr;
  /** It can only be solved for this unknown. */
  readonly assigns?: Ref | undefined;
  /** The caller's number, for `Block.equations`. */
  readonly index: number;
  /** `left - right`, where it is known. */
  readonly residual?: Expr | undefined;
}

export interface System {
  readonly equations: readonly SystemEquation[];
  /** Equations that complete the system, the most wanted first. */
  readonly optional?: readonly SystemEquation[];
  readonly unknowns: readonly Ref[];
}

export interface SortOptions extends Knowledge {
  /** Marks assignments of discrete-time variables. */
  readonly isDiscrete?: (symbol: number) => boolean;
  /** Blocks with more unknowns are torn so that they stay sparse, or not at all where they are linear. */
  readonly tearingLimit?: number;
  /** Blocks that were built before with the same knowledge and limit. */
  readonly known?: KnownBlocks | undefined;
}

/** Blocks by their equations and unknowns: the same block returns in many modes. */
export class KnownBlocks {
  private readonly blocks = new Map<string, Block>();
  private readonly singles = new Map<SystemEquation, { readonly unknown: Ref; readonly block: Block }>();

  constructor(private readonly most: number) {}

  get(key: string, build: () => Block): Block {
    return remember(this.blocks, key, () => {
      if (this.blocks.size >= this.most) this.blocks.clear();
      return build();
    });
  }

  /** The block of one equation, as it was noted last; an equation of several modes is mostly solved for the same unknown. */
  last(equation: SystemEquation, unknown: Ref): Block | undefined {
    const single = this.singles.get(equation);
    return single?.unknown === unknown ? single.block : undefined;
  }

  /** Equations that have their residual are the same objects in all modes. */
  note(equation: SystemEquation, unknown: Ref, block: Block): void {
    if (!equation.residual) return;
    if (this.singles.size >= this.most) this.singles.clear();
    this.singles.set(equation, { unknown, block });
  }

  get size(): number {
    return this.blocks.size;
  }
}

export type SortResult = SortedSystem | SingularSystem;

export interface SortedSystem {
  readonly kind: 'sorted';
  readonly blocks: readonly Block[];
  /** Positions in `optional` of the equations that were taken. */
  readonly used: readonly number[];
}

/** No perfect matching: which equations contradict each other, which unknowns nothing determines. */
export interface SingularSystem {
  readonly kind: 'singular';
  readonly over: SystemPart;
  readonly under: SystemPart;
}

export interface SystemPart {
  /** Positions in `equations`, followed by those in `optional` (continuing the count). */
  readonly equations: readonly number[];
  readonly unknowns: readonly Ref[];
}

export function sortSystem(pool: Pool, system: System, options: SortOptions): SortResult {
  const required = system.equations.length;
  const all = system.optional ? [...system.equations, ...system.optional] : system.equations;
  const columnOf = new Map<Expr, number>();
  system.unknowns.forEach((unknown, j) => {
    columnOf.set(unknown, j);
  });
  const incidences = all.map(({ left, right, residual }) =>
    unknownsOf(residual ?? pool.sub(left, right), columnOf),
  );
  const allowed = all.map((equation, i) => {
    const only = equation.assigns;
    return only ? incidences[i]!.filter((j) => system.unknowns[j] === only) : incidences[i]!;
  });
  const matching = new Matching(incidenceOf(allowed, system.unknowns.length)).maximise(required);
  const rows: number[] = system.equations.map((_, i) => i);
  const used: number[] = [];
  const complete = matching.size === required;
  for (let i = required; complete && i < all.length && matching.size < system.unknowns.length; i++) {
    if (!matching.augment(i)) continue;
    rows.push(i);
    used.push(i - required);
  }
  if (!complete || matching.size < system.unknowns.length) return singular(system, allowed, rows);
  return { kind: 'sorted', blocks: blocksOf(pool, system, all, incidences, rows, matching, options), used };
}

/** Columns of the unknowns in a residual, increasing; what cancels in `left - right` is not there. */
function unknownsOf(residual: Expr, columnOf: ReadonlyMap<Expr, number>): number[] {
  const columns: number[] = [];
  for (const leaf of leaves(residual)) {
    const column = columnOf.get(leaf);
    if (column !== undefined) columns.push(column);
  }
  return increasing(columns);
}

/** Sorts in place; most lists are short and in order. */
function increasing(list: number[]): number[] {
  for (let k = 1; k < list.length; k++) if (list[k]! < list[k - 1]!) return list.sort((p, q) => p - q);
  return list;
}

function singular(
  system: System,
  allowed: readonly (readonly number[])[],
  rows: readonly number[],
): SingularSystem {
  const columns = rows.map((i) => allowed[i]!);
  const graph = incidenceOf(columns, system.unknowns.length);
  const { over, under } = dulmageMendelsohn(new Matching(graph).maximise());
  const part = ({ rows: local, columns }: GraphPart): SystemPart => ({
    equations: local.map((i) => rows[i]!),
    unknowns: columns.map((j) => system.unknowns[j]!),
  });
  return { kind: 'singular', over: part(over), under: part(under) };
}

function blocksOf(
  pool: Pool,
  system: System,
  all: readonly SystemEquation[],
  incidences: readonly (readonly number[])[],
  rows: readonly number[],
  matching: Matching,
  options: SortOptions,
): Block[] {
  const columns = rows.map((i) => incidences[i]!);
  const graph = incidenceOf(columns, system.unknowns.length);
  const columnOf = Int32Array.from(rows, (i) => matching.columnOf[i]!);
  const rowOf = new Int32Array(system.unknowns.length);
  columnOf.forEach((column, row) => {
    rowOf[column] = row;
  });
  const { order, starts } = sortBlocks(graph, columnOf, rowOf);
  const builder = new BlockBuilder(pool, options);
  const blocks: Block[] = [];
  for (let b = 0; b + 1 < starts.length; b++) {
    if (starts[b + 1]! - starts[b]! === 1) {
      const row = order[starts[b]!]!;
      blocks.push(builder.single(all[rows[row]!]!, system.unknowns[columnOf[row]!]!));
      continue;
    }
    const members = increasing([...order.subarray(starts[b]!, starts[b + 1]!)]);
    const equations = members.map((row) => all[rows[row]!]!);
    const unknowns = members.map((row) => system.unknowns[columnOf[row]!]!);
    blocks.push(builder.block(equations, unknowns));
  }
  return blocks;
}

/** Turns equations and unknowns that belong together into a step of computation. */
class BlockBuilder {
  constructor(
    private readonly pool: Pool,
    private readonly options: SortOptions,
  ) {}

  /** A block of one equation. */
  single(equation: SystemEquation, unknown: Ref): Block {
    const { known } = this.options;
    const last = known?.last(equation, unknown);
    if (last) return last;
    const block = this.block([equation], [unknown]);
    known?.note(equation, unknown, block);
    return block;
  }

  block(equations: readonly SystemEquation[], unknowns: readonly Ref[]): Block {
    const { known } = this.options;
    return known
      ? known.get(this.keyOf(equations, unknowns), () => this.build(equations, unknowns))
      : this.build(equations, unknowns);
  }

  private keyOf(equations: readonly SystemEquation[], unknowns: readonly Ref[]): string {
    let key = '';
    for (const { left, right, assigns, index } of equations)
      key += `${left.id} ${right.id} ${assigns ? assigns.id : ''} ${index};`;
    for (const { id, symbol } of unknowns) key += this.options.isDiscrete?.(symbol) ? `${id}d ` : `${id} `;
    return key;
  }

  private build(equations: readonly SystemEquation[], unknowns: readonly Ref[]): Block {
    const indices = [...new Set(equations.map((equation) => equation.index))];
    if (equations.length === 1) {
      const unknown = unknowns[0]!;
      const value = this.isolate(equations[0]!, unknown);
      const discrete = this.options.isDiscrete?.(unknown.symbol) ?? false;
      if (value) return { kind: 'assign', unknown, value, equations: indices, discrete };
    }
    const residuals = equations.map((equation) => this.pool.sub(equation.left, equation.right));
    const set = new Set<Expr>(unknowns);
    const linear = residuals.every((residual) => isLinearIn(residual, set));
    const discrete = unknowns.every(({ symbol }) => this.options.isDiscrete?.(symbol) ?? false);
    const limit = this.options.tearingLimit ?? smallestLarge;
    // The matrix of a large linear system is sparse, mostly constant, and eliminated with pivots.
    if (equations.length === 1 || (linear && equations.length > limit)) {
      return { kind: 'solve', tears: unknowns, inner: [], residuals, linear, discrete, equations: indices };
    }
    return { ...this.torn(equations, unknowns, residuals), linear, discrete, equations: indices };
  }

  /** The value of an unknown from an equation, where it can be had without dividing by zero, or by less than `most` of another size. */
  private isolate(equation: SystemEquation, unknown: Ref, most = Number.POSITIVE_INFINITY): Expr | undefined {
    if (equation.assigns && equation.assigns !== unknown) return undefined;
    const { left, right } = equation;
    const solution = solveFor(this.pool, left, right, unknown, this.options.inverse);
    if (!solution || !isNonzero(solution.pivot, this.options)) return undefined;
    return spread(solution.pivot, this.options) > most ? undefined : solution.value;
  }

  private torn(
    equations: readonly SystemEquation[],
    unknowns: readonly Ref[],
    residuals: readonly Expr[],
  ): Pick<SolveBlock, 'kind' | 'tears' | 'inner' | 'residuals'> {
    const { graph, values } = this.solvability(equations, unknowns, residuals);
    const {
      tears,
      residuals: open,
      inner,
    } = tear(
      graph,
      Uint8Array.from(values, (value) => (value ? 1 : 0)),
      Uint8Array.from(unknowns, ({ symbol }) => (this.options.isDiscrete?.(symbol) ? 1 : 0)),
      this.options.tearingLimit ?? smallestLarge,
    );
    return {
      kind: 'solve',
      tears: tears.map((j) => unknowns[j]!),
      inner: inner.map(({ row, column }) => ({
        unknown: unknowns[column]!,
        value: values[edgeOf(graph, row, column)]!,
      })),
      residuals: open.map((i) => residuals[i]!),
    };
  }

  /**
   * The graph of a block, and for each edge the unknown's value from the equation, where it is safe. Inverse
   * functions would be safe as well, but their slopes (of a root at 0) and domains (of a logarithm) disturb
   * Newton's method. What conditions make large and small, as the resistance of a diode, is no good divisor either way: in a chain of
   * them rounding errors multiply.
   */
  private solvability(
    equations: readonly SystemEquation[],
    unknowns: readonly Ref[],
    residuals: readonly Expr[],
  ): { graph: Incidence; values: (Expr | undefined)[] } {
    const columnOf = new Map<Expr, number>(unknowns.map((unknown, j) => [unknown, j]));
    const columns = residuals.map((residual) => unknownsOf(residual, columnOf));
    const graph = incidenceOf(columns, unknowns.length);
    const values: (Expr | undefined)[] = [];
    equations.forEach((equation, i) => {
      for (let e = graph.starts[i]!; e < graph.starts[i + 1]!; e++) {
        const unknown = unknowns[graph.targets[e]!]!;
        const isLinear = isLinearIn(residuals[i]!, new Set<Expr>([unknown]));
        values.push(isLinear ? this.isolate(equation, unknown, mostSpread) : undefined);
      }
    });
    return { graph, values };
  }
}

const smallestLarge = 60;

/** How far conditions may change the size of a coefficient by which tearing divides. */
const mostSpread = 10;

function edgeOf(graph: Incidence, row: number, column: number): number {
  let e = graph.starts[row]!;
  while (graph.targets[e] !== column) e++;
  return e;
}
