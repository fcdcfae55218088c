/**
 * Where the numbers of a field lie in its WebAssembly memory, in doubles:
 *
 *     time, status                 status as in `code/memory.ts`: the check that failed in a user function
 *     data, parameters, initial values
 *     held values of relations, numbers of systems of equations
 *     x, dx, u, y, w, z            the numbers of a point: states, derivatives, inputs, outputs, algebraic variables, indicators
 *     constants
 *     tables of the kernels        as `loops.ts` describes them
 *     frames of user functions
 *
 * The layout belongs to the field; each run has a memory of its own.
 */
import { firstFreeSlot, timeSlot } from '../../code/memory.ts';
import { remember } from '../../collections/memo.ts';
import type { Field } from '../field.ts';
import { scratchOf } from '../sorting/systems.ts';
import type { BytePlaces, LoweredKernel } from './loops.ts';

const pageBytes = 65536;

/** Slots are indices of doubles. */
export class FieldLayout implements BytePlaces {
  readonly held: number;
  readonly x: number;
  readonly dx: number;
  readonly u: number;
  readonly y: number;
  readonly w: number;
  readonly z: number;
  /** Addresses of the tables, by kernel. */
  tables: Int32Array = new Int32Array(0);
  private readonly places = new Map<number, number>();
  private readonly derivatives = new Map<number, number>();
  private readonly constants = new Map<number | string, { slot: number; value: number }>();
  private next = 0;

  constructor(
    private readonly field: Field,
    readonly numberOf: (fn: number) => number,
  ) {
    this.reserve(firstFreeSlot);
    for (const { symbol, values } of field.data) this.place(symbol, values.length);
    for (const { symbol, size } of [...field.own, ...field.parameters]) this.place(symbol, size);
    for (const { start, size } of field.states) this.place(start, size);
    this.held = this.next;
    for (const { held, size } of field.relations) this.place(held, size);
    for (const { symbol, size } of scratchOf(field.kernels)) this.place(symbol, size);
    this.x = this.next;
    for (const { symbol, size } of field.states) this.place(symbol, size);
    this.dx = this.next;
    for (const { symbol, size } of field.states) this.derivatives.set(symbol, this.reserve(size));
    this.u = this.next;
    for (const { symbol, size } of field.inputs) this.place(symbol, size);
    this.y = this.reserve(field.outputs.length);
    this.w = this.next;
    for (const { symbol, size } of field.algebraic) this.place(symbol, size);
    this.z = this.next;
    for (const { indicator, size } of field.relations) this.place(indicator, size);
  }

  readonly time = 8 * timeSlot;

  /** A new memory; `stack` slots at its end are for frames of functions. */
  memory(stack: number): WebAssembly.Memory {
    return new WebAssembly.Memory({ initial: Math.max(1, Math.ceil((8 * (this.next + stack)) / pageBytes)) });
  }

  /** Where frames of functions begin. */
  get stack(): number {
    return this.next;
  }

  addressOf = (symbol: number, order: number): number => 8 * this.slotOf(symbol, order, 0);

  constant = (value: number): number => {
    const key = Object.is(value, -0) ? '-0' : value;
    return 8 * remember(this.constants, key, () => ({ slot: this.reserve(1), value })).slot;
  };

  slotOf(symbol: number, order: number, element: number): number {
    const first = (order === 0 ? this.places : this.derivatives).get(symbol);
    if (first === undefined) throw new Error('an array of a field has no place');
    return first + element;
  }

  /** All kernels are known: their tables come last. */
  close(kernels: readonly LoweredKernel[]): void {
    this.tables = Int32Array.from(kernels, ({ table }) => 8 * this.reserve(Math.ceil(table.length / 2)));
  }

  /** Writes what is the same in all runs. */
  fill(buffer: ArrayBuffer, kernels: readonly LoweredKernel[]): void {
    const doubles = new Float64Array(buffer);
    const integers = new Int32Array(buffer);
    for (const { symbol, values } of this.field.data) doubles.set(values, this.slotOf(symbol, 0, 0));
    for (const { slot, value } of this.constants.values()) doubles[slot] = value;
    kernels.forEach(({ table }, k) => {
      integers.set(table, this.tables[k]! / 4);
    });
  }

  private reserve(count: number): number {
    this.next += count;
    return this.next - count;
  }

  private place(symbol: number, count: number): void {
    this.places.set(symbol, this.reserve(count));
  }
}
