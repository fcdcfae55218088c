/**
 * Jacobians by sparse accumulation: the partial derivatives of every assignment by what it reads are computed once, and the chain rule then goes over the nonzeros alone
 * (A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed., 2008, section 7.3). Where one row is full, as that of a tank from which all consumers draw, no two columns can share a direction,
 * and carrying one direction after the other through everything (`jacobian.ts`) costs the square of the size; the sum over the nonzeros does not.
 *
 * Every leaf that depends on the sources has a run of cells, one for each source that it depends on. A product adds `cells[source] * memory[factor]` to
 * `cells[target]`. The cells of the sources themselves come first, each is one.
 */
import { compressed, transposed } from '../collections/pattern.ts';
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Differentiated, PlanContext } from './plan.ts';
import type { Routine, SlotAssignment } from './unit.ts';

export interface AccumulationPlan {
  readonly kind: 'accumulation';
  /** Computes the partial derivatives. */
  readonly routines: readonly [Routine];
  /** Compressed columns. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
  readonly sources: number;
  readonly cells: number;
  /** Triples: target, factor, source. */
  readonly products: Int32Array;
  /** By entry: its cell. */
  readonly places: Int32Array;
}

interface Run {
  readonly at: number;
  /** Numbers of sources, increasing. */
  readonly sources: Int32Array;
}

/** Undefined where systems take part, or functions whose partial derivatives are not found one by one, and where there are more products than `most`. */
export function planAccumulation(
  context: PlanContext,
  { items, sources, targets }: Differentiated,
  most: number,
): AccumulationPlan | undefined {
  const { pool, memory, temporaries, calls } = context;
  const runs = new Map<Expr, Run>(sources.map((source, k) => [source, { at: k, sources: Int32Array.of(k) }]));
  const position = new Int32Array(sources.length);
  const factors = new Map<Expr, number>();
  const body: SlotAssignment[] = [];
  const products: number[] = [];
  let cells = sources.length;

  const factorOf = (value: Expr): number => {
    if (value.kind === 'const') return memory.constant(value.value);
    if (value.kind === 'ref') return memory.slotOf(value);
    let slot = factors.get(value);
    if (slot === undefined) {
      slot = memory.slotOf(temporaries.fresh());
      factors.set(value, slot);
      body.push({ slot, value });
    }
    return slot;
  };
  const assign = (leaf: Expr, value: Expr): boolean => {
    const copied = runs.get(value);
    if (copied) {
      runs.set(leaf, copied);
      return true;
    }
    const slopes = gradient(pool, value, (other) => runs.has(other), calls);
    if (slopes.value === undefined) return false;
    const read = [...slopes.value].map(([other, slope]) => ({ run: runs.get(other)!, slope }));
    const own = { at: cells, sources: united(read.map(({ run }) => run.sources)) };
    if (read.length === 0) runs.delete(leaf);
    else runs.set(leaf, own);
    cells += own.sources.length;
    for (const [i, source] of own.sources.entries()) position[source] = own.at + i;
    for (const { run, slope } of read) {
      const factor = factorOf(slope);
      for (const [i, source] of run.sources.entries()) products.push(position[source]!, factor, run.at + i);
    }
    return products.length <= 3 * most;
  };

  for (const item of items) if (item.kind === 'system' || !assign(item.leaf, item.value)) return undefined;
  const wanted: (Run | undefined)[] = [];
  for (const target of targets) {
    const leaf = target.kind === 'ref' ? target : temporaries.fresh();
    if (leaf !== target && !assign(leaf, target)) return undefined;
    wanted.push(runs.get(leaf));
  }
  const byRow = wanted.map((run) => run?.sources ?? new Int32Array(0));
  const pattern = transposed(compressed(byRow), sources.length);
  const places = new Int32Array(pattern.rows.length);
  const next = pattern.starts.slice();
  for (const run of wanted)
    for (const [i, source] of (run?.sources ?? []).entries()) places[next[source]!++] = run!.at + i;
  return {
    kind: 'accumulation',
    routines: [{ name: 'partials', body }],
    starts: pattern.starts,
    rows: pattern.rows,
    sources: sources.length,
    cells,
    products: Int32Array.from(products),
    places,
  };
}

function united(lists: readonly Int32Array[]): Int32Array {
  if (lists.length === 1) return lists[0]!;
  const all = new Set<number>();
  for (const list of lists) for (const source of list) all.add(source);
  return Int32Array.from(all).sort();
}
