/** Runs the command line tool inside the test, with streams, files and, where wanted, a simulator of its own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { Core } from '../../src/cli/core.ts';
import { main } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/surroundings.ts';

export interface Run<C> {
  /** The simulator that was used. */
  readonly core: C;
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  readonly json: any;
}

export interface Surroundings<C> {
  readonly cwd?: string;
  readonly core?: C;
  readonly env?: Record<string, string>;
  readonly terminal?: boolean;
  /** Standard input. */
  readonly input?: string;
  /** Receives the action of Ctrl-C. */
  readonly interrupt?: (action: () => void) => void;
}

export async function run<C extends Core>(
  argv: readonly string[],
  surroundings: Surroundings<C> = {},
): Promise<Run<C>> {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    write: (text: string) => {
      texts[name] += text;
    },
    isTerminal: surroundings.terminal ?? false,
  });
  const io: Io = {
    out: stream('out'),
    err: stream('err'),
    readInput: () => surroundings.input ?? '',
    env: surroundings.env ?? {},
    cwd: surroundings.cwd ?? process.cwd(),
    keeping() {
      const signal = { aborted: false };
      surroundings.interrupt?.(() => {
        signal.aborted = true;
      });
      return { signal, begin: () => {}, write: () => {}, end: () => {} };
    },
    drafting: () => {},
  };
  const status = await main(argv, io, surroundings.core);
  return {
    core: surroundings.core as C,
    status,
    ...texts,
    get json() {
      return JSON.parse(texts.out);
    },
  };
}

/** A new folder with the given files, removed after the tests. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'mutabor-test-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  afterAll(() => rmSync(root, { recursive: true, force: true }), 60_000);
  return root;
}
