/**
 * Left limits. Those of an instant are a copy of the memory: every mode that is tried at the instant is entered from it. Those of
 * an iteration are the values of `pre`: what discrete variables were in the iteration before.
 *
 * Discrete values, relations and flags belong to the iteration: they stay when the left limits of the instant come back.
 */
import { Failure } from '../../diagnostic/failure.ts';
import { noValue } from '../../program/explain.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Relations } from './relations.ts';

/** Iterations in which a cycle of discrete values is looked for. */
const mostRecent = 12;

export class LeftLimits {
  /** The memory before. */
  values: Float64Array = new Float64Array(0);
  /** By scalar: 1 where the variable has a left limit. */
  existed: Uint8Array = new Uint8Array(0);
  /** Conditions of the states that were entered with these limits, and begin anew. */
  entered: readonly number[] = [];
  /** Slots of values that belong to the iteration. */
  private readonly ownSlots: Int32Array;
  /** Their values while the left limits come back. */
  private readonly kept: Float64Array;
  /** Their values before the first other mode was tried, where `hasFirst`. */
  private readonly first: Float64Array;
  private hasFirst = false;
  /** Slots of what is remembered, and of its left limits. */
  readonly nowSlots: Int32Array;
  private readonly preSlots: Int32Array;
  /** Discrete variables that changed in the last few iterations: a cycle may be longer than one. */
  private readonly recent: number[][] = [];

  constructor(
    private readonly runtime: Runtime,
    private readonly relations: Relations,
  ) {
    const { pool, model } = runtime.values;
    this.nowSlots = Int32Array.from(model.remembered, (symbol) => runtime.values.slotOf(symbol));
    this.preSlots = Int32Array.from(model.remembered, (symbol) => runtime.values.slot(pool.pre(symbol)));
    const discrete = model.scalars.flatMap(({ kind }, symbol) =>
      kind === 'discrete' || kind === 'flag' ? [runtime.values.slotOf(symbol)] : [],
    );
    this.ownSlots = Int32Array.from([...relations.heldSlots, ...discrete, ...this.preSlots]);
    this.kept = new Float64Array(this.ownSlots.length);
    this.first = new Float64Array(this.ownSlots.length);
  }

  /** Takes the values of the memory as left limits. */
  take(existed: Uint8Array, entered: readonly number[] = []): void {
    const { memory } = this.runtime.values;
    const { size } = memory.layout;
    if (this.values.length === size) this.values.set(memory.values.subarray(0, size));
    else this.values = memory.values.slice(0, size);
    this.existed = existed;
    this.entered = entered;
    this.forgetOwn();
  }

  /** Brings the left limits back; what belongs to the iteration stays. */
  recall(): void {
    const { values } = this.runtime.values.memory;
    this.readOwn(this.kept);
    values.set(this.values);
    this.writeOwn(this.kept);
  }

  private readOwn(into: Float64Array): void {
    const { values } = this.runtime.values.memory;
    for (let i = 0; i < into.length; i++) into[i] = values[this.ownSlots[i]!]!;
  }

  private writeOwn(from: Float64Array): void {
    const { values } = this.runtime.values.memory;
    for (let i = 0; i < from.length; i++) values[this.ownSlots[i]!] = from[i]!;
  }

  /** Keeps what belongs to the iteration as it is now, unless it was kept since the left limits were taken. */
  keepOwn(): void {
    if (this.hasFirst) return;
    this.readOwn(this.first);
    this.hasFirst = true;
  }

  forgetOwn(): void {
    this.hasFirst = false;
  }

  /** Brings back the left limits with what belonged to the iteration when it was kept, and relations of the left limits. */
  recallFirst(): void {
    const { values } = this.runtime.values.memory;
    values.set(this.values);
    this.writeOwn(this.first);
    for (const [k, slot] of this.relations.heldSlots.entries())
      if (!this.runtime.model.relations[k]!.switchTime) values[slot] = this.values[slot]!;
  }

  recallRelations(): void {
    const { values } = this.runtime.values.memory;
    for (const slot of this.relations.heldSlots) values[slot] = this.values[slot]!;
  }

  /** Whether a relation held before. */
  held(relation: number): boolean {
    return this.values[this.relations.heldSlots[relation]!] !== 0;
  }

  // -------------------------------------------------------------- of an iteration

  /** Sets the values of `pre`. */
  remember(news: Float64Array): void {
    const { values } = this.runtime.values.memory;
    for (let k = 0; k < news.length; k++) values[this.preSlots[k]!] = news[k]!;
  }

  /** Whether a discrete variable has another value than the one that is remembered of it. */
  hasNews(): boolean {
    const { model } = this.runtime;
    const { memory } = this.runtime.values;
    const { nowSlots, preSlots } = this;
    return model.remembered.some(
      (symbol, k) =>
        model.scalars[symbol]!.kind === 'discrete' &&
        memory.values[nowSlots[k]!] !== memory.values[preSlots[k]!],
    );
  }

  /** The values of `pre`, in the order of what is remembered. */
  preValues(): Float64Array {
    return this.read(this.preSlots);
  }

  private read(slots: Int32Array): Float64Array {
    const { values } = this.runtime.values.memory;
    return Float64Array.from(slots, (slot) => values[slot]!);
  }

  /**
   * As `updatePre`, for an iteration for initial values that began with `before`; initial equations may have set `pre` since. Discrete variables
   * keep their left limits, the start values: what they are on the way to the initial values has never been.
   */
  updatePreSince(before: Float64Array): void {
    this.remember(before);
    this.updatePre(false);
  }

  /** Values become left limits for the next iteration, those of discrete variables if asked for; true if one of these was new. */
  updatePre(discrete = true): boolean {
    const { memory, model } = this.runtime.values;
    const { values } = memory;
    const { nowSlots, preSlots } = this;
    const changing: number[] = [];
    for (let k = 0; k < nowSlots.length; k++) {
      const now = values[nowSlots[k]!]!;
      if (values[preSlots[k]!] === now) continue;
      const symbol = model.remembered[k]!;
      const isDiscrete = model.scalars[symbol]!.kind === 'discrete';
      if (isDiscrete) changing.push(symbol);
      if (isDiscrete && !discrete) continue;
      if (isDiscrete && Number.isNaN(now)) throw new Failure('simulate', [noValue(this.runtime, symbol)]);
      values[preSlots[k]!] = now;
    }
    this.recent.push(changing);
    if (this.recent.length > mostRecent) this.recent.shift();
    return discrete && changing.length > 0;
  }

  /** Discrete variables that changed of late. */
  get changing(): number[] {
    return this.recent.flat();
  }
}
