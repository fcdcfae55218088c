/**
 * Rows of results that an integrator writes while it takes steps: everything continuous at given times, computed by routines in WebAssembly. Small models have more rows than their
 * steps take time, and each would be a dozen calls in JavaScript.
 */
import { KernelView, sharedKernel } from './kernel.ts';

/** What a row is read from. */
export interface RowSource {
  readonly get: (address: number) => number;
  /** Computes everything at the point where the memory is. */
  readonly run: () => number;
  /** Addresses of the numbers in a row. */
  readonly addresses: Int32Array;
  /** By number: whether it has to be finite. */
  readonly present: Uint8Array;
}

/** Rows between two visits. */
const ROOM = 128;

export class KernelRows {
  readonly at: number;
  /** Numbers in a row. */
  readonly columns: number;
  private readonly times: KernelView;
  private readonly values: KernelView;
  private readonly steps: KernelView;
  private readonly lastStates: KernelView;

  /** `n`: the number of states. */
  constructor({ get, run, addresses, present }: RowSource, n: number) {
    const kernel = sharedKernel();
    const columns = addresses.length;
    const doubles = (length: number): KernelView =>
      new KernelView(kernel, kernel.allocate(this, 8 * length), length);
    this.columns = columns;
    this.times = doubles(ROOM + 1);
    this.values = doubles(ROOM * columns);
    this.steps = doubles(ROOM);
    this.lastStates = doubles(n);
    const own = [
      0,
      ROOM,
      columns,
      this.times.address,
      kernel.copy(this, addresses),
      kernel.copy(this, Int32Array.from(present)),
      this.values.address,
      this.steps.address,
      kernel.link(this, [get, run]),
      this.lastStates.address,
    ];
    this.at = kernel.copy(this, Int32Array.from(own));
  }

  /** Rows are to be written at these times, ascending: so many at most. */
  begin(most: number, timeOf: (k: number) => number): void {
    const { values } = this.times;
    const room = Math.min(most, ROOM);
    for (let k = 0; k < room; k++) if ((values[k] = timeOf(k)) === Number.POSITIVE_INFINITY) break;
    values[room] = Number.POSITIVE_INFINITY;
    const own = sharedKernel().integers(this.at, 2);
    own[0] = 0;
    own[1] = room;
  }

  /** How many have been written. */
  get count(): number {
    return sharedKernel().integers(this.at, 1)[0]!;
  }

  /** The time of a row, how many steps had been taken since they began, and its numbers. */
  time(k: number): number {
    return this.times.values[k]!;
  }

  stepsAt(k: number): number {
    return this.steps.values[k]!;
  }

  /** States at the last row. */
  get states(): Float64Array {
    return this.lastStates.values;
  }

  row(k: number): Float64Array {
    return this.values.values.subarray(k * this.columns, (k + 1) * this.columns);
  }
}
