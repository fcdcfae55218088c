/** The thread that ends its process where a text takes too long, or too much memory: the thread that judges it may not be able to. */
import { workerData } from 'node:worker_threads';
import { MEMORY, SECONDS, signals } from './limits.ts';

/** Milliseconds between two looks. */
const PAUSE = 500;

/** How many texts were begun. */
const counts = workerData as Int32Array;
let begun = -1;
let before = 0;

setInterval(() => {
  const now = Atomics.load(counts, 0);
  if (now !== begun) {
    begun = now;
    before = computed();
  } else if (computed() - before > SECONDS) process.kill(process.pid, signals.time);
  if (process.memoryUsage.rss() > 1e6 * MEMORY) process.kill(process.pid, signals.memory);
}, PAUSE);

/** Seconds that all threads have computed. */
function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
