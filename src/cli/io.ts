/** Standard input and output of the process. */

import { readSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Stream } from './surroundings.ts';
import { writeAll } from './write.ts';

/** More than this is no Modelica text (the largest file of the Modelica Standard Library has 2 MB). */
export const LARGEST_INPUT = 64 * 1024 * 1024;

/** Standard input to its end, which a device may not have. */
export function standardInput(): string | undefined {
  const parts: Buffer[] = [];
  for (let size = 0; size <= LARGEST_INPUT; ) {
    const part = Buffer.alloc(64 * 1024);
    const count = readSync(0, part);
    if (count === 0) return Buffer.concat(parts).toString('utf8');
    parts.push(part.subarray(0, count));
    size += count;
  }
  return undefined;
}

/** Standard output is closed or full. */
export class OutputError extends Error {
  /** Whoever has read it has seen enough: `| head`. */
  readonly isClosed: boolean;

  constructor({ message, code }: NodeJS.ErrnoException) {
    super(message);
    this.isClosed = code === 'EPIPE';
  }
}

/** Standard output: what is written has arrived when `write` returns. */
export const standardOutput = (): Stream =>
  streamTo(1, (problem) => {
    throw new OutputError(problem as NodeJS.ErrnoException);
  });

/** Where messages go. That nobody can read them is no reason to stop, and there is no other place to report it. */
export const standardError = (): Stream => streamTo(2, () => {});

function streamTo(file: number, fail: (problem: unknown) => void): Stream {
  const write = (text: string): void => {
    try {
      writeAll(file, [text]);
    } catch (problem) {
      fail(problem);
    }
  };
  return { write, isTerminal: isatty(file) };
}
