/**
 * The thread that checks classes, which may take long: it has a language service of its own, with the same texts as the one that answers editors. A check ends when another round is
 * called for: the number of the round lies in memory that both threads see.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Interrupted } from '../../diagnostic/pulse.ts';
import { type CheckedDiagnostic, LanguageService, plainDiagnostic } from '../../language/index.ts';
import { HostFiles } from '../files.ts';

/** What the checker begins with. */
export interface CheckerStart {
  readonly cwd: string;
  readonly libraries: readonly string[];
  readonly round: SharedArrayBuffer;
}

/** What the checker is told. */
export type ToChecker =
  | { readonly kind: 'folders'; readonly folders: readonly string[] }
  | { readonly kind: 'open'; readonly path: string; readonly text: string }
  | { readonly kind: 'close'; readonly path: string }
  | { readonly kind: 'refresh'; readonly paths: readonly string[] }
  /** These texts, in this order; the class at a place of the first one before others. */
  | {
      readonly kind: 'check';
      readonly round: number;
      readonly paths: readonly string[];
      readonly near: number;
    };

/** What the checker answers. */
export interface FromChecker {
  readonly round: number;
  readonly path: string;
  readonly diagnostics: readonly CheckedDiagnostic[];
}

const { cwd, libraries, round: shared } = workerData as CheckerStart;
const current = new Int32Array(shared);
const files = new HostFiles(cwd);
for (const library of libraries) files.allowLibraries(library);
const service = new LanguageService({ files, libraries });

parentPort!.on('message', (message: ToChecker) => {
  switch (message.kind) {
    case 'folders':
      for (const folder of message.folders) files.allow(folder);
      service.setFolders(message.folders);
      break;
    case 'open':
      service.open(message.path, message.text);
      break;
    case 'close':
      service.close(message.path);
      break;
    case 'refresh':
      service.refresh(message.paths);
      break;
    case 'check':
      check(message);
      break;
    default:
      message satisfies never;
  }
});

function check({ round, paths, near }: Extract<ToChecker, { kind: 'check' }>): void {
  const signal = {
    get aborted() {
      return Atomics.load(current, 0) !== round;
    },
  };
  try {
    for (const [k, path] of paths.entries()) {
      if (signal.aborted) return;
      // What is checked first is kept, so that the whole comes from there.
      if (k === 0) for (const name of service.checkable(path, near)) service.check(path, name, signal);
      const found = service.diagnostics(path, signal);
      const diagnostics = found.map((one) => plainDiagnostic(one, path, service.fix(one)));
      parentPort!.postMessage({ round, path, diagnostics } satisfies FromChecker);
    }
  } catch (stopped) {
    if (!(stopped instanceof Interrupted)) throw stopped;
  }
}
