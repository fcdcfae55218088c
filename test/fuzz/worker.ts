/** Judges texts that come from another thread, which ends this one where it takes too long. */
import { parentPort, workerData } from 'node:worker_threads';
import { HostFiles } from '../../src/cli/files.ts';
import { judge } from './judge.ts';
import type { Case } from './runner.ts';

const files = new HostFiles(workerData as string);
files.allow('.');

parentPort!.on('message', async ({ text, seed }: Case) => {
  parentPort!.postMessage(await judge(text, files, seed));
});
