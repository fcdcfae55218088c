/**
 * What has to be computed for something: the parts of the kernels that single elements depend on, and the inputs that act on
 * them. Going backwards through the kernels, each is asked for the turns that those after it read from.
 */
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { sizeOf } from '../../symbolic/shape.ts';
import { type Affine, counter, countsOf } from '../elements/affine.ts';
import {
  type ArrayElement,
  type ArrayOrder,
  type Kernel,
  keyOf,
  type LinearSystem,
} from '../elements/kernel.ts';
import { eachAccess, eachElement, referencesIn } from '../elements/nodes.ts';
import { composedStatement } from './order.ts';
import { scratchIn } from './systems.ts';
import { noteIn, type Spread, Writers } from './writers.ts';

/** By kernel: the turns that are asked for, counted through its loops. */
type Demands = Map<number, Spread>;

export interface Slice {
  readonly kernels: readonly Kernel[];
  /** Symbols that are read and that no kernel computes. */
  readonly reads: ReadonlySet<number>;
}

export class Slices {
  private readonly writers: Writers;

  constructor(
    private readonly pool: Pool,
    private readonly kernels: readonly Kernel[],
  ) {
    this.writers = new Writers(
      kernels.flatMap(({ statements, extents, system }, writer) =>
        statements.map(({ target }, i) =>
          system
            ? { target, extents: system.rows[i]!.extents, writer, atOnce: true }
            : { target, extents, writer },
        ),
      ),
    );
  }

  /** What these elements need. */
  of(wanted: Iterable<ArrayElement>): Slice {
    const demands: Demands = new Map();
    const reads = new Set<number>();
    for (const item of wanted) this.demand(item, item.element, demands, reads);
    for (let k = this.kernels.length - 1; k >= 0; k--) {
      const demand = demands.get(k);
      if (!demand) continue;
      const kernel = this.kernels[k]!;
      widen(kernel, demand);
      if (kernel.system) {
        this.demandSystem(kernel.system, demands, reads);
        continue;
      }
      for (const { value } of this.part(k, demand).statements)
        this.demandOf(value, demands, reads, k, demand);
    }
    const needed = [...demands].sort(([a], [b]) => a - b);
    return { kernels: needed.map(([k, demand]) => this.part(k, demand)), reads };
  }

  /** All kernels that are needed for these symbols, each as a whole. */
  wholly(isWanted: (target: Ref) => boolean): Kernel[] {
    const needed = new Set<string>();
    const taken: Kernel[] = [];
    for (let k = this.kernels.length - 1; k >= 0; k--) {
      const kernel = this.kernels[k]!;
      if (!kernel.statements.some(({ target }) => isWanted(target) || needed.has(keyOf(target)))) continue;
      taken.unshift(kernel);
      for (const { value } of kernel.statements)
        for (const access of referencesIn(value)) needed.add(keyOf(access));
    }
    return taken;
  }

  private demandOf(value: Expr, demands: Demands, reads: Set<number>, k: number, demand: Spread): void {
    eachAccess(value, this.partExtents(k, demand).extents, (access, around) => {
      if (!this.writers.of(access)) reads.add(access.symbol);
      else eachElement(access, around, (element) => this.demand(access, element, demands, reads));
    });
  }

  /** A system needs all its coefficients. */
  private demandSystem({ rows, known }: LinearSystem, demands: Demands, reads: Set<number>): void {
    for (const { symbol, size } of rows.flatMap(scratchIn))
      for (const element of [0, size - 1]) this.demand({ symbol, order: 0 }, element, demands, reads);
    for (const item of known) this.demand(item, item.element, demands, reads);
  }

  private demand(array: ArrayOrder, element: number, demands: Demands, reads: Set<number>): void {
    const known = this.writers.of(array);
    const k = known?.writer[element] ?? -1;
    if (k < 0) reads.add(array.symbol);
    else noteIn(demands, k, known!.turn[element]!);
  }

  private partExtents(
    k: number,
    { least, most }: Spread,
  ): { extents: readonly number[]; counters: Affine[] } {
    const { extents } = this.kernels[k]!;
    const count = most - least + 1;
    if (count === sizeOf(extents)) return { extents, counters: [] };
    if (extents.length === 1) return { extents: [count], counters: [counter(0, 1, least)] };
    // Several loops are restricted to single turns only (`widen`).
    const counters = countsOf(extents, least).map((base, d) => counter(d, 1, base));
    return { extents: extents.map(() => 1), counters };
  }

  private part(k: number, demand: Spread): Kernel {
    const kernel = this.kernels[k]!;
    const { extents, counters } = this.partExtents(k, demand);
    if (counters.length === 0) return kernel;
    const statements = kernel.statements.map((own) => composedStatement(this.pool, own, counters));
    return { ...kernel, extents, statements };
  }
}

/** Turns that need each other come together, and so do parts of several loops. */
function widen({ parallel, extents }: Kernel, demand: Spread): void {
  const isSingle = demand.least === demand.most;
  if (parallel && (extents.length <= 1 || isSingle)) return;
  demand.least = 0;
  demand.most = sizeOf(extents) - 1;
}
