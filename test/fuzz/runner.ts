/**
 * Judges texts one after another in a process of its own: whatever a text does to it, whoever asks lives on and has the text. The process
 * ends itself where a text takes too much (`watch.ts`).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Finding, Verdict } from './judge.ts';
import { HEAP, SECONDS, signals } from './limits.ts';

export interface Case {
  readonly text: string;
  /** For the damage to its results. */
  readonly seed: number;
}

export class Runner {
  private readonly script: URL;
  private child: ChildProcess | undefined;

  /** `script` is the compiled `worker.ts`. */
  constructor(script: URL) {
    this.script = script;
  }

  judge(one: Case): Promise<Verdict> {
    const child = (this.child ??= this.start());
    return new Promise((resolve) => {
      const onMessage = (verdict: Verdict): void => {
        child.off('exit', onExit);
        resolve(verdict);
      };
      const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.child = undefined;
        child.off('message', onMessage);
        resolve({ reached: 'nothing', finding: endOf(code, signal) });
      };
      child.once('message', onMessage).once('exit', onExit);
      child.send(one);
    });
  }

  end(): void {
    this.child?.disconnect();
  }

  private start(): ChildProcess {
    return fork(fileURLToPath(this.script), {
      // Most of what a text makes is short-lived: with more room for it less is copied.
      execArgv: [`--max-old-space-size=${HEAP}`, '--max-semi-space-size=64'],
      // V8 writes pages about a heap that is full; the finding says it.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  }
}

/** Why a process ended that should not have. */
function endOf(code: number | null, signal: NodeJS.Signals | null): Finding {
  switch (signal) {
    case signals.time:
      return { kind: 'hang', stage: 'any', message: `It takes more than ${SECONDS} s.` };
    case signals.memory:
      return { kind: 'memory', stage: 'any', message: 'It takes more memory than there may be.' };
    default:
      return { kind: 'crash', stage: 'any', message: `The process ended with ${signal ?? code}.` };
  }
}
