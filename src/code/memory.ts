/**
 * The memory of a simulation: one WebAssembly memory of doubles that all programs and solvers share, and the one
 * place that knows where everything lies. A slot is an index of a double; its address is eight times as large.
 *
 *     slot 0         time
 *     slot 1 … 2     status: number of the check that failed (from 1; 0 is none) and a value that belongs to it
 *     slot 3 …       variables, their derivatives, left limits, relations, temporaries, in order of first use
 *     anywhere       constants, and the stack of function frames: reserved slots like any other
 */
import { remember } from '../collections/memo.ts';
import type { Expr } from '../symbolic/expr.ts';
import { isEventOperator } from '../symbolic/operators.ts';

export const timeSlot = 0;
export const statusSlot = 1;
export const statusValueSlot = 2;
export const firstFreeSlot = 3;

const pageBytes = 65536;
/** Keys of derivatives are `symbol * maximalOrder + order`. */
const maximalOrder = 256;
/** 2^32 bytes is what a 32-bit address reaches. */
const maximalSlots = 2 ** 29;

/** Gives every leaf of expressions its slot. */
export class LeafLayout {
  private next = firstFreeSlot;
  private readonly refs = new Map<number, number>();
  private readonly pres = new Map<number, number>();
  private readonly relations = new Map<number, number>();
  /** Operators of events (`initial()`, `sample(…)`, …), whose values the simulator sets, by node. */
  private readonly flags = new Map<number, number>();

  /** How many slots are in use. */
  get size(): number {
    return this.next;
  }

  /** The slot of a variable by its symbol. */
  slotOfSymbol(symbol: number): number {
    return this.lookup(this.refs, symbol * maximalOrder);
  }

  /** The slot of a leaf, allocated when it is first asked for. */
  slotOf(leaf: Expr): number {
    switch (leaf.kind) {
      case 'time':
        return timeSlot;
      case 'ref':
        if (leaf.subscripts.length > 0) break;
        return this.lookup(this.refs, leaf.symbol * maximalOrder + leaf.order);
      case 'pre':
        if (leaf.subscripts.length > 0) break;
        return this.lookup(this.pres, leaf.symbol);
      case 'held':
        return this.lookup(this.relations, leaf.relation);
      case 'apply':
        if (isEventOperator(leaf.op)) return this.lookup(this.flags, leaf.id);
        break;
    }
    throw new Error(`an expression of kind ${leaf.kind} has no place in memory`);
  }

  /**
   * Keys and slots of variables with symbols below a number, and of their derivatives, of left limits and of relations: what of the memory means the same in every memory of
   * the model. All else is computed from it.
   */
  lasting(
    symbols: number,
  ): Record<'refs' | 'pres' | 'relations', readonly (readonly [key: number, slot: number])[]> {
    const refs = [...this.refs].filter(([key]) => key < symbols * maximalOrder);
    return { refs, pres: [...this.pres], relations: [...this.relations] };
  }

  /** The slots of such keys. */
  slotsOf(kind: 'refs' | 'pres' | 'relations', keys: Iterable<number>): Int32Array {
    const map = this[kind];
    return Int32Array.from(keys, (key) => this.lookup(map, key));
  }

  /** A contiguous run of n slots; gives the first. */
  reserve(n: number): number {
    const first = this.next;
    if (first + n > maximalSlots) throw new Error('the model needs more memory than can be addressed');
    this.next += n;
    return first;
  }

  /**
   * Puts these leaves side by side, in this order, and gives the first slot. For state vectors and the like, that
   * solvers see as one array: call it before the leaves are used otherwise.
   */
  place(leaves: readonly Expr[]): number {
    const first = this.next;
    leaves.forEach((leaf, i) => {
      if (this.slotOf(leaf) !== first + i) throw new Error('a leaf to be placed has a place already');
    });
    return first;
  }

  private lookup(map: Map<number, number>, key: number): number {
    const known = map.get(key);
    if (known !== undefined) return known;
    const slot = this.reserve(1);
    map.set(key, slot);
    return slot;
  }
}

export class Memory {
  readonly layout = new LeafLayout();
  readonly wasm: WebAssembly.Memory;
  private doubles: Float64Array;
  private stack = { start: 0, slots: 0 };
  private readonly constants = new Map<number | '-0', number>();
  readonly slotOf: (leaf: Expr) => number;

  constructor(slots = pageBytes / 8) {
    this.wasm = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil((slots * 8) / pageBytes)) });
    this.doubles = new Float64Array(this.wasm.buffer);
    this.slotOf = (leaf) => this.layout.slotOf(leaf);
  }

  /**
   * The doubles by slot. Slots may have been allocated since, and growing detaches earlier views: ask again after
   * anything was allocated or compiled. In between (while a mode runs) the view stays the same.
   */
  get values(): Float64Array {
    const needed = this.layout.size;
    if (needed > this.doubles.length) {
      const pages = Math.ceil((needed * 8) / pageBytes);
      const present = this.doubles.length / (pageBytes / 8);
      const spare = Math.min(pages >> 2, 65536 - pages);
      this.wasm.grow(pages + spare - present);
      this.doubles = new Float64Array(this.wasm.buffer);
    }
    return this.doubles;
  }

  reserve(n: number): number {
    return this.layout.reserve(n);
  }

  /** All values are zero again, except for constants. */
  clear(): void {
    const { values } = this;
    values.fill(0);
    for (const [key, slot] of this.constants) values[slot] = key === '-0' ? -0 : key;
  }

  /** The slot of a constant; programs share them. */
  constant(value: number): number {
    const key = Object.is(value, -0) ? '-0' : value;
    return remember(this.constants, key, () => {
      const slot = this.layout.reserve(1);
      this.values[slot] = value;
      return slot;
    });
  }

  /** The constant in a slot, where there is one. */
  constantAt(slot: number): number | undefined {
    for (const place of this.constants.values()) if (place === slot) return this.values[slot];
    return undefined;
  }

  /** The run of slots for function frames, at least n long; programs never run at the same time, so they share it. */
  frames(n: number): { readonly start: number; readonly slots: number } {
    if (n > this.stack.slots) this.stack = { start: this.layout.reserve(n), slots: n };
    return this.stack;
  }
}
