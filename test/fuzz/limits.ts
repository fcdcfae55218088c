/** What a text may cost with all its stages, which stop themselves; more is a finding. */

/** Seconds of computing: other work of the machine does not count. */
export const SECONDS = 60;
/** Megabytes for objects, and for all that a process has in memory. */
export const HEAP = 1500;
export const MEMORY = 4000;

/** By which signal a process ends that costs more. V8 itself aborts where the heap is full. */
export const signals = { time: 'SIGALRM', memory: 'SIGABRT' } as const;
