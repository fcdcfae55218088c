/**
 * What has to be computed for something: the parts of the kernels that single elements depend on, and the inputs that act on
 * them. Going backwards through the kernels, each is asked for the turns that those after it read from.
 */
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { type Affine, constantIndex } from '../elements/affine.ts';
import type { Kernel, LinearSystem } from '../elements/kernel.ts';
import { eachAccess, eachElement } from '../elements/nodes.ts';
import { composed } from './order.ts';

/** Turns `first … last` of a kernel, counted through its loops. */
interface Demand {
  first: number;
  last: number;
}

export interface Slice {
  readonly kernels: readonly Kernel[];
  /** Symbols that are read and that no kernel computes. */
  readonly reads: ReadonlySet<number>;
}

export interface WantedElements {
  readonly symbol: number;
  readonly order: number;
  readonly element: number;
}

/** Who computes which element in which turn. */
export class Slices {
  /** By symbol and order: kernel and turn of every element. */
  private readonly origins = new Map<string, { readonly kernel: Int32Array; readonly turn: Int32Array }>();

  constructor(
    private readonly pool: Pool,
    private readonly kernels: readonly Kernel[],
    sizeOf: (symbol: number) => number,
  ) {
    kernels.forEach(({ statements, extents, system }, k) => {
      for (const [i, { target }] of statements.entries()) {
        const { kernel, turn } = this.originOf(target, sizeOf);
        eachElement(target, system ? system.rows[i]!.extents : extents, (element, t) => {
          kernel[element] = k;
          turn[element] = system ? 0 : t;
        });
      }
    });
  }

  private originOf(target: Ref, sizeOf: (symbol: number) => number) {
    const key = keyOf(target);
    let origin = this.origins.get(key);
    if (!origin) {
      const size = sizeOf(target.symbol);
      origin = { kernel: new Int32Array(size).fill(-1), turn: new Int32Array(size) };
      this.origins.set(key, origin);
    }
    return origin;
  }

  /** What these elements need; whole kernels where `whole` is set. */
  of(wanted: Iterable<WantedElements>): Slice {
    const demands: (Demand | undefined)[] = this.kernels.map(() => undefined);
    const reads = new Set<number>();
    for (const item of wanted) this.demand(item, item.element, demands, reads);
    for (let k = this.kernels.length - 1; k >= 0; k--) {
      const demand = demands[k];
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
    const kernels = demands.flatMap((demand, k) => (demand ? [this.part(k, demand)] : []));
    return { kernels, reads };
  }

  /** All kernels that are needed for these symbols, each as a whole. */
  wholly(isWanted: (target: Ref) => boolean): Kernel[] {
    const needed = new Set<string>();
    const taken: Kernel[] = [];
    for (let k = this.kernels.length - 1; k >= 0; k--) {
      const kernel = this.kernels[k]!;
      if (!kernel.statements.some(({ target }) => isWanted(target) || needed.has(keyOf(target)))) continue;
      taken.unshift(kernel);
      for (const { value } of kernel.statements) eachAccess(value, [], (access) => needed.add(keyOf(access)));
    }
    return taken;
  }

  private demandOf(
    value: Expr,
    demands: (Demand | undefined)[],
    reads: Set<number>,
    k: number,
    demand: Demand,
  ): void {
    eachAccess(value, this.partExtents(k, demand).extents, (access, around) => {
      if (!this.origins.has(keyOf(access))) {
        reads.add(access.symbol);
        return;
      }
      eachElement(access, around, (element) => this.demand(access, element, demands, reads));
    });
  }

  /** A system needs all its coefficients. */
  private demandSystem(
    { rows, known }: LinearSystem,
    demands: (Demand | undefined)[],
    reads: Set<number>,
  ): void {
    for (const { rest, terms } of rows)
      for (const { symbol, size } of [rest, ...terms.map(({ coefficient }) => coefficient)])
        for (const element of [0, size - 1]) this.demand({ symbol, order: 0 }, element, demands, reads);
    for (const item of known) this.demand(item, item.element, demands, reads);
  }

  private demand(
    { symbol, order }: { symbol: number; order: number },
    element: number,
    demands: (Demand | undefined)[],
    reads: Set<number>,
  ): void {
    const origin = this.origins.get(`${symbol} ${order}`);
    const k = origin?.kernel[element] ?? -1;
    if (k < 0) {
      reads.add(symbol);
      return;
    }
    const turn = origin!.turn[element]!;
    const known = demands[k];
    if (!known) demands[k] = { first: turn, last: turn };
    else {
      if (turn < known.first) known.first = turn;
      if (turn > known.last) known.last = turn;
    }
  }

  private partExtents(
    k: number,
    { first, last }: Demand,
  ): { extents: readonly number[]; counters: Affine[] } {
    const { extents } = this.kernels[k]!;
    const total = extents.reduce((a, b) => a * b, 1);
    if (last - first + 1 === total) return { extents, counters: [] };
    if (extents.length === 1)
      return { extents: [last - first + 1], counters: [{ base: first, strides: [1] }] };
    // Several loops are restricted to single turns only (`widen`).
    const counters: Affine[] = [];
    let rest = first;
    for (let d = extents.length - 1; d >= 0; d--) {
      counters[d] = constantIndex(rest % extents[d]!);
      rest = Math.floor(rest / extents[d]!);
    }
    return {
      extents: extents.map(() => 1),
      counters: counters.map(({ base }, d) => ({ base, strides: [...new Array<number>(d).fill(0), 1] })),
    };
  }

  private part(k: number, demand: Demand): Kernel {
    const kernel = this.kernels[k]!;
    const { extents, counters } = this.partExtents(k, demand);
    if (counters.length === 0) return kernel;
    return {
      ...kernel,
      extents,
      statements: kernel.statements.map(({ target, value }) => ({
        target: composed(this.pool, target, counters) as Ref,
        value: composed(this.pool, value, counters),
      })),
    };
  }
}

/** Turns that need each other come together, and so do parts of several loops. */
function widen({ parallel, extents }: Kernel, demand: Demand): void {
  const isSingle = demand.first === demand.last;
  if (parallel && (extents.length <= 1 || isSingle)) return;
  demand.first = 0;
  demand.last = extents.reduce((a, b) => a * b, 1) - 1;
}

const keyOf = ({ symbol, order }: Ref): string => `${symbol} ${order}`;
