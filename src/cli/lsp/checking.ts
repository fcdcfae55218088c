/** The thread that checks (`checker.ts`), seen from the one that answers: told of all texts, called for a round after each change, started anew where it has died. */
import { Worker } from 'node:worker_threads';
import type { CheckerStart, FromChecker, ToChecker } from './checker.ts';

/** Time without changes before a round begins, in milliseconds. */
const PAUSE = 150;
/** So often a thread may die one after the other, until something was checked. */
const MOST_DEATHS = 3;

export interface CheckingEvents {
  readonly checked: (result: FromChecker) => void;
  /** The thread has died and will not be started again. */
  readonly gaveUp: (reason: string) => void;
}

export class Checking {
  private readonly round = new SharedArrayBuffer(4);
  private readonly current = new Int32Array(this.round);
  private worker: Worker | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private deaths = 0;
  private folders: readonly string[] = [];
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly start: Omit<CheckerStart, 'round'>,
    private readonly events: CheckingEvents,
  ) {
    this.begin();
  }

  setFolders(folders: readonly string[]): void {
    this.folders = folders;
    this.tell({ kind: 'folders', folders });
  }

  open(path: string, text: string): void {
    this.texts.set(path, text);
    this.tell({ kind: 'open', path, text });
  }

  close(path: string): void {
    this.texts.delete(path);
    this.tell({ kind: 'close', path });
  }

  refresh(paths: readonly string[]): void {
    this.tell({ kind: 'refresh', paths });
  }

  /** Checks all texts soon, these first; what is being checked is given up. */
  request(first: readonly string[], near: number): void {
    const round = Atomics.add(this.current, 0, 1) + 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const paths = [...first, ...[...this.texts.keys()].filter((path) => !first.includes(path))];
      this.tell({ kind: 'check', round, paths, near });
    }, PAUSE);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    Atomics.add(this.current, 0, 1);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private tell(message: ToChecker): void {
    this.worker?.postMessage(message);
  }

  private begin(): void {
    const worker = new Worker(new URL('./checker.js', import.meta.url), {
      workerData: { ...this.start, round: this.round } satisfies CheckerStart,
    });
    this.worker = worker;
    worker.on('message', (result: FromChecker) => {
      this.deaths = 0;
      if (result.round === Atomics.load(this.current, 0)) this.events.checked(result);
    });
    worker.on('error', (problem) => this.died(problem instanceof Error ? problem.message : String(problem)));
    // Whoever answers decides when the process ends.
    worker.unref();
  }

  /** A thread that runs out of memory, or meets a bug: another one gets the same texts. */
  private died(reason: string): void {
    if (this.worker === undefined) return;
    this.worker = undefined;
    if (++this.deaths >= MOST_DEATHS) {
      this.events.gaveUp(reason);
      return;
    }
    this.begin();
    this.setFolders(this.folders);
    for (const [path, text] of this.texts) this.tell({ kind: 'open', path, text });
    this.request([], 0);
  }
}
