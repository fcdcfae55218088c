/**
 * Stopping long work from outside. Loops that may take long call `pulse` now and then, which throws where the work is no longer wanted.
 *
 *     heeding(signal, () => check(model))     // throws `Interrupted` soon after `signal.aborted` has become true
 *
 * An `AbortSignal` changes only while nothing else runs in its thread. What is to stop work without a pause needs a signal that reads
 * memory which is shared with another thread:
 *
 *     const flag = new Int32Array(new SharedArrayBuffer(4));
 *     const signal = { get aborted() { return Atomics.load(flag, 0) !== 0; } };
 */

/** Says whether work is to stop; an `AbortSignal` is one. Once `aborted` it stays so. */
export interface StopSignal {
  readonly aborted: boolean;
}

/** Thrown out of work that was stopped. */
export class Interrupted extends Error {
  constructor() {
    super('The work was stopped.');
    this.name = 'Interrupted';
  }
}

/** What the work at hand heeds: it belongs to the innermost `heeding`, which runs without a pause. */
let present: StopSignal | undefined;

/** Does work that ends with `Interrupted` soon after the signal says so. */
export function heeding<T>(signal: StopSignal | undefined, work: () => T): T {
  const outer = present;
  present = signal ?? outer;
  try {
    return work();
  } finally {
    present = outer;
  }
}

/** A place where long work can be stopped. */
export function pulse(): void {
  if (present?.aborted) throw new Interrupted();
}
