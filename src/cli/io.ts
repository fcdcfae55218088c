/** What the command line tool needs from its surroundings, so that tests can run it inside their own process. */
import { readSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { StopSignal } from '../diagnostic/pulse.ts';
import { writeAll } from './write.ts';

export interface Stream {
  write(text: string): void;
  readonly isTerminal: boolean;
}

/** Where the command prints. */
export interface Output {
  /** Throws an `OutputError` where nothing more can be written. */
  readonly out: Stream;
  readonly err: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Io extends Output {
  /** All that stands in standard input; undefined where that is too much. */
  readInput(): string | undefined;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /**
   * For work whose results so far are worth keeping: from `begin` to `end`, Ctrl-C and other requests to end are told by the signal.
   * At all other times they end the command at once. After `write` the results are only written, which takes its time.
   */
  keeping(): {
    readonly signal: StopSignal;
    readonly begin: () => void;
    readonly write: () => void;
    readonly end: () => void;
  };
  /** Says which file is being written under another name, and is to be removed where the command is ended. */
  drafting(path: string | undefined): void;
}

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
export class OutputError extends Error {}

/** Standard output: what is written has arrived when `write` returns. */
export function standardOutput(): Stream {
  const write = (text: string): void => {
    try {
      writeAll(1, [text]);
    } catch (problem) {
      throw new OutputError((problem as Error).message);
    }
  };
  return { write, isTerminal: isatty(1) };
}

/** Where messages go. That nobody can read them is no reason to stop. */
export function standardError(): Stream {
  const write = (text: string): void => {
    try {
      writeAll(2, [text]);
    } catch {
      // There is no other place to tell it.
    }
  };
  return { write, isTerminal: isatty(2) };
}
