/**
 * Leaves and slots for what is computed on the way. All modes of a run share one memory, so they share these as well:
 *
 *     of a value   the leaf belongs to its expression. A block that returns in another mode finds the same leaves, and so
 *                  the same code; slots grow with the expressions that were seen, not with modes.
 *     scratch      leaves in order of use, for code that needs them only while it runs (restarts, Jacobians); who makes such
 *                  code begins with the first one again.
 *
 * Symbols of the former are `first`, `first + 2`, …, of the latter `first + 1`, `first + 3`, ….
 */
import { remember } from '../collections/memo.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Memory } from './memory.ts';
import type { SlotAssignment } from './unit.ts';

/** Slots that scratch runs are allocated by. */
const leastRun = 64;

export class Temporaries {
  private readonly byValue = new Map<Expr, Ref>();
  private readonly slotByValue = new Map<Expr, number>();
  private used = 0;
  /** Scratch runs in order of use, and how many are taken. */
  private readonly runs: { readonly slot: number; readonly size: number }[] = [];
  private taken = 0;

  /** Symbols from `first` on are free. */
  constructor(
    private readonly pool: Pool,
    private readonly memory: Memory,
    private readonly first: number,
  ) {}

  /** The leaf that holds this value. */
  of(value: Expr): Ref {
    return remember(this.byValue, value, () => this.pool.ref(this.first + 2 * this.byValue.size));
  }

  /**
   * The slots that hold these values once `body` has run, to which assignments are added. Constants and leaves are where they always are; all
   * others have a slot of their own, so that code for the same values is the same, whatever stands beside them.
   */
  slotsOf(values: readonly Expr[], body: SlotAssignment[]): Int32Array {
    const assigned = new Set<number>();
    return Int32Array.from(values, (value) => {
      if (value.kind === 'const') return this.memory.constant(value.value);
      if (value.kind === 'ref') return this.memory.slotOf(value);
      const slot = remember(this.slotByValue, value, () => this.memory.reserve(1));
      if (!assigned.has(slot)) body.push({ slot, value });
      assigned.add(slot);
      return slot;
    });
  }

  /** What `make` takes by `fresh` and `run` is free again afterwards. */
  scratch<T>(make: () => T): T {
    const { used, taken } = this;
    try {
      return make();
    } finally {
      this.used = used;
      this.taken = taken;
    }
  }

  fresh(): Ref {
    return this.pool.ref(this.first + 2 * this.used++ + 1);
  }

  /** The first of n slots side by side. */
  run(n: number): number {
    const next = this.runs[this.taken];
    if (next && next.size >= n) {
      this.taken++;
      return next.slot;
    }
    const size = Math.max(n, leastRun);
    this.runs.splice(this.taken++, 0, { slot: this.memory.reserve(size), size });
    return this.runs[this.taken - 1]!.slot;
  }
}
