/**
 * The thread that hears signals. The command itself works in another one, which may be busy for long; so Ctrl-C is heard at any time,
 * and code of a model that ends its thread does not end the command without a word.
 *
 * A signal that asks to end (Ctrl-C, `kill`, a closed terminal) ends the command at once, as it would any other, unless there are results
 * to keep: then the run stops and they are written. Where that takes long, it is said. A second signal ends the command in any case.
 */
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Diagnostic, diagnostic, error } from '../diagnostic/diagnostic.ts';
import { Flags, type ThreadReport } from './flags.ts';
import { standardError, standardOutput } from './io.ts';
import { type ExitStatus, printDiagnostics, refuse } from './report.ts';
import type { Output } from './surroundings.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A run that does not hear within this time, in milliseconds, is caught in code of the model. */
const PATIENCE = 5000;

/** Results that are not written within this time, in milliseconds, are many. */
const SOON = 100;

/** Signals within this time, in milliseconds, are one: `timeout` and `npx` send those again that a terminal sends to all. */
const TOGETHER = 500;

/** A thread that has done its work, but that code of a model keeps alive by a timer, ends after this time, in milliseconds. */
const GRACE = 1000;

/** Runs the tool; the exit status is the result. */
export async function host(argv: readonly string[]): Promise<ExitStatus> {
  if (argv[0] === 'lsp') {
    const { serve } = await import('./lsp.ts');
    const status = await serve(argv.slice(1));
    if (status !== undefined) return status;
  }
  const io: Output = { out: standardOutput(), err: standardError(), env: process.env };
  const manner = { json: argv.includes('--json'), quiet: argv.includes('--quiet') };
  const say = (problem: Diagnostic) => refuse(io, { status: 1, diagnostics: [problem] }, manner);
  const flags = new Flags();
  let draft: string | undefined;
  let ended: ExitStatus | undefined;
  /** When a run was asked to stop. */
  let asked = Number.NEGATIVE_INFINITY;

  const endBy = (signal: NodeJS.Signals): void => {
    if (draft !== undefined) rmSync(draft, { force: true });
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  };
  const hear = (signal: NodeJS.Signals): void => {
    if (performance.now() - asked < TOGETHER) return;
    if (Number.isFinite(asked) || !flags.keeps) {
      endBy(signal);
      return;
    }
    asked = performance.now();
    flags.ask();
    setTimeout(() => {
      if (ended !== undefined || !flags.keeps) return;
      const what = flags.runs ? 'The run is being stopped' : 'The results are being written';
      const hint = 'Another signal ends the command at once, without results.';
      printDiagnostics(io, [diagnostic('info', 'interrupted', `${what}.`, { hint })], manner);
    }, SOON).unref();
    const timer = setTimeout(() => {
      if (flags.isHeard || !flags.runs) return;
      say(
        error('component', 'The run does not stop: code of the model does not return. Its results are lost.'),
      );
      endBy(signal);
    }, PATIENCE);
    timer.unref();
  };
  for (const signal of signals) process.on(signal, hear);

  return new Promise((resolve) => {
    const worker = new Worker(new URL('../node/work.js', import.meta.url), {
      argv: [...argv],
      workerData: flags.buffer,
    });
    worker.on('message', (report: ThreadReport) => {
      if ('draft' in report) draft = report.draft;
      else {
        ended = report.status;
        setTimeout(() => void worker.terminate(), GRACE).unref();
      }
    });
    worker.on('error', (problem) => {
      say(lastWords(problem));
      ended = 1;
    });
    worker.on('exit', (code) => {
      if (draft !== undefined) rmSync(draft, { force: true });
      if (ended === undefined)
        say(error('component', `Code of the model has ended the command, by \`process.exit(${code})\`.`));
      resolve(ended ?? 1);
    });
  });
}

/** What has ended the thread that works. */
function lastWords(problem: unknown): Diagnostic {
  const { code, message } =
    problem instanceof Error ? (problem as NodeJS.ErrnoException) : { code: '', message: String(problem) };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return error('limit-exceeded', 'There is not enough memory.', {
      hint: 'Give Node more memory: `NODE_OPTIONS=--max-old-space-size=8000`.',
    });
  const what = 'Code of the model has failed outside of the functions that Mutabor calls';
  return error('component', `${what}: ${message}.`.replace('..', '.'));
}
