/** Judges texts one after another in a thread with limits of time and memory. */
import { Worker } from 'node:worker_threads';
import type { Finding, Verdict } from './judge.ts';

export interface Case {
  readonly text: string;
  /** For the damage to its results. */
  readonly seed: number;
}

/** Seconds of computing for a text with all its stages, which stop themselves: other work of the machine does not count. */
const LIMIT = 60;
const MEMORY = 1500;
/** Milliseconds between two looks at what was computed. */
const PAUSE = 500;

export class Runner {
  private readonly script: URL;
  private readonly models: string;
  private worker: Worker | undefined;

  /** `script` is the compiled `worker.ts`, `models` the folder of the library. */
  constructor(script: URL, models: string) {
    this.script = script;
    this.models = models;
  }

  judge(one: Case): Promise<Verdict> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve) => {
      const end = (verdict: Verdict, isOver: boolean): void => {
        clearInterval(timer);
        worker.off('message', onMessage).off('error', onError);
        if (isOver) {
          this.worker = undefined;
          void worker.terminate();
        }
        resolve(verdict);
      };
      const before = computed();
      const timer = setInterval(() => {
        if (computed() - before > LIMIT)
          fail({ kind: 'hang', stage: 'any', message: `It takes more than ${LIMIT} s.` });
      }, PAUSE);
      const fail = (finding: Finding): void => end({ reached: 'nothing', finding }, true);
      const onMessage = (verdict: Verdict): void => end(verdict, false);
      const onError = (problem: unknown): void => {
        const { code, message } = problem as NodeJS.ErrnoException;
        const kind = code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash';
        fail({ kind, stage: 'any', message });
      };
      worker.on('message', onMessage).on('error', onError);
      worker.postMessage(one);
    });
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    return new Worker(this.script, {
      workerData: this.models,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
  }
}

/** Seconds that all threads have computed. */
function computed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
