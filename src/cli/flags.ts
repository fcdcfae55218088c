/** What the thread that hears signals (`host.ts`) and the one that works (`work.ts`) know of each other. */
import type { StopSignal } from '../diagnostic/pulse.ts';
import type { ExitStatus } from './report.ts';

/** A message to the thread that hears signals: what is being written, or how the command ended. */
export type Report = { readonly draft: string | undefined } | { readonly status: ExitStatus };

const KEEPS = 0;
const ASKED = 1;
const HEARD = 2;

/** Memory of both threads. */
export class Flags {
  readonly buffer: SharedArrayBuffer;
  private readonly flags: Int32Array;
  /** Says whether work is to stop. */
  readonly signal: StopSignal;

  constructor(buffer = new SharedArrayBuffer(12)) {
    this.buffer = buffer;
    const flags = new Int32Array(buffer);
    this.flags = flags;
    this.signal = {
      get aborted() {
        if (Atomics.load(flags, ASKED) === 0) return false;
        Atomics.store(flags, HEARD, 1);
        return true;
      },
    };
  }

  /** Whether there are results to keep. */
  get keeps(): boolean {
    return Atomics.load(this.flags, KEEPS) === 1;
  }

  set keeps(value: boolean) {
    Atomics.store(this.flags, KEEPS, value ? 1 : 0);
  }

  /** Asks the work to stop. */
  ask(): void {
    Atomics.store(this.flags, ASKED, 1);
  }

  /** Whether the work knows that it is to stop. */
  get isHeard(): boolean {
    return Atomics.load(this.flags, HEARD) === 1;
  }
}
