/** What the thread that hears signals (`host.ts`) and the one that works (`work.ts`) know of each other. */
import type { StopSignal } from '../diagnostic/pulse.ts';
import type { ExitStatus } from './report.ts';

/** A message to the thread that hears signals: what is being written, or how the command ended. */
export type ThreadReport = { readonly draft: string | undefined } | { readonly status: ExitStatus };

const PHASE = 0;
const ASKED = 1;
const HEARD = 2;

/** What the thread is doing that works. */
const phases = { other: 0, run: 1, write: 2 } as const;

/** Memory of both threads. */
export class Flags {
  private readonly flags: Int32Array;
  /** Says whether work is to stop. */
  readonly signal: StopSignal;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(12)) {
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
    return Atomics.load(this.flags, PHASE) !== phases.other;
  }

  /** Whether they are still being computed. */
  get runs(): boolean {
    return Atomics.load(this.flags, PHASE) === phases.run;
  }

  enter(phase: keyof typeof phases): void {
    Atomics.store(this.flags, PHASE, phases[phase]);
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
