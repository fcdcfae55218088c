/** Rows of results that are written while steps are taken: everything continuous at times inside of these. */
import { System } from './system';
import { at, copy, get, Integers, part, set, Vector } from './vector';

@unmanaged
export class Rows {
  /** How many rows are written, how many there is room for, and numbers in each. */
  count: i32;
  room: i32;
  columns: i32;
  /** Times of rows to come, ascending, the last of them infinite, and those that have come. */
  times: Vector;
  /** Addresses in the memory of the system, and whether these have to be finite. */
  sources: Integers;
  present: Integers;
  values: Vector;
  /** By row: steps that were taken until then. */
  steps: Vector;
  /** In the table: what reads from the memory, and behind it what computes everything there. */
  read: i32;
  /** States at the last row. */
  states: Vector;

  /** The time of the next row. */
  get next(): f64 {
    return get(this.times, this.count);
  }

  get isFull(): bool {
    return this.count === this.room;
  }

  /** Writes the row at a time, for the states of the system in between; false where a number is not finite. */
  write(system: System, t: f64): bool {
    system.place(t, system.between);
    call_indirect<i32>(this.read + 1);
    const row = part(this.values, this.columns, this.count);
    let check: f64 = 0;
    for (let i = 0; i < this.columns; i++) {
      const value = call_indirect<f64>(this.read, at(this.sources, i));
      set(row, i, value);
      if (at(this.present, i)) check += value * 0;
    }
    if (check !== 0) return false;
    copy(this.states, system.between, system.n);
    set(this.steps, this.count, system.steps);
    this.count++;
    return true;
  }
}
