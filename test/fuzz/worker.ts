/** The process that judges texts for another one, as long as that one is there; a thread beside it looks at what they cost. */
import { Worker } from 'node:worker_threads';
import { models } from '#models';
import { TextFiles } from '../../src/model/classes/texts.ts';
import { judge } from './judge.ts';
import type { Case } from './runner.ts';

const files = new TextFiles(models);

const counts = new Int32Array(new SharedArrayBuffer(4));
new Worker(new URL('./watch.js', import.meta.url), { workerData: counts });

process.on('message', async ({ text, seed }: Case) => {
  Atomics.add(counts, 0, 1);
  process.send!(await judge(text, files, seed));
});
process.on('disconnect', () => process.exit());
