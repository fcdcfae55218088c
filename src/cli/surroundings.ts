/** What the command line tool needs from its surroundings, so that tests can run it inside their own process. */
import type { StopSignal } from '../diagnostic/pulse.ts';

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
   * For work whose results so far are worth keeping: from `begin` to `end`, Ctrl-C and other requests to end abort the signal.
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
