/** What the command line tool needs from its surroundings, so that tests can run it inside their own process. */

import { readFileSync } from 'node:fs';

export interface Stream {
  write(text: string): void;
  readonly isTerminal: boolean;
}

export interface Io {
  readonly out: Stream;
  readonly err: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All that stands in standard input. */
  readInput(): string;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Calls `action` at Ctrl-C until the returned function is called. */
  onInterrupt(action: () => void): () => void;
}

/** The process itself. A second Ctrl-C ends it at once. */
export function processIo(): Io {
  // The reader of a pipe may leave early (`| head`): that is no problem of ours.
  process.stdout.on('error', (problem: NodeJS.ErrnoException) => {
    if (problem.code !== 'EPIPE') throw problem;
    process.exit();
  });
  return {
    out: { write: (text) => process.stdout.write(text), isTerminal: process.stdout.isTTY === true },
    err: { write: (text) => process.stderr.write(text), isTerminal: process.stderr.isTTY === true },
    readInput: () => readFileSync(0, 'utf8'),
    env: process.env,
    cwd: process.cwd(),
    onInterrupt(action) {
      process.once('SIGINT', action);
      return () => process.off('SIGINT', action);
    },
  };
}
