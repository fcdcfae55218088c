/** The thread that works: runs the command, and reports to the one that hears signals (`host.ts`) how it ended. */
import { parentPort, workerData } from 'node:worker_threads';
import { Flags, type ThreadReport } from './flags.ts';
import { standardError, standardInput, standardOutput } from './io.ts';
import { main } from './main.ts';
import type { Io } from './surroundings.ts';

/** True where a model was simulated, so that most of the code has been at work. */
export async function work(argv: readonly string[]): Promise<boolean> {
  const flags = new Flags(workerData as SharedArrayBuffer);
  const send = (report: ThreadReport): void => parentPort!.postMessage(report);
  let simulated = false;
  const io: Io = {
    out: standardOutput(),
    err: standardError(),
    readInput: standardInput,
    env: process.env,
    cwd: process.cwd(),
    keeping: () => ({
      signal: flags.signal,
      begin: () => {
        simulated = true;
        flags.enter('run');
      },
      write: () => flags.enter('write'),
      end: () => flags.enter('other'),
    }),
    drafting: (draft) => send({ draft }),
  };
  send({ status: await main(argv, io) });
  return simulated;
}
