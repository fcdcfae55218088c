// One job at a time: a class is checked, run, or run and compared with a reference; what was wrong first is reported.
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { check as checkModel, Failure, Library, loadModel, simulate } from '../dist/bundle/index.js';
import { readCsv } from '../dist/bundle/results.js';
import { externals } from './externals.mjs';
import { fileSystem } from './files.mjs';
import { leavesTube } from './tube.mjs';

const jobs = { check: checked, run, compare };
const libraries = new Map();

parentPort.on('message', async (job) => parentPort.postMessage(await report(job)));

/** `{ code, message }` of the first error, nothing where there is none. */
async function report(job) {
  try {
    return await jobs[job.kind](
      loadModel(libraryAt(job.roots), job.name, {}, { externals: externals(), print: () => {} }),
      job,
    );
  } catch (error) {
    if (error instanceof Failure) return firstError(error.diagnostics);
    return { code: 'crash', message: String(error?.stack ?? error).slice(0, 400) };
  }
}

/** Libraries are read once for each thread. */
function libraryAt(roots) {
  const key = roots.join('\0');
  const library = libraries.get(key) ?? new Library({ files: fileSystem, roots });
  libraries.set(key, library);
  return library;
}

function checked(model) {
  const { status, diagnostics } = checkModel(model);
  return status === 'failed' ? firstError(diagnostics) : {};
}

async function run(model) {
  const { status, diagnostics } = await simulate(model);
  return ['done', 'terminated'].includes(status) ? {} : firstError(diagnostics);
}

async function compare(model, { file, signals, stopTime }) {
  const { status, diagnostics, table } = await simulate(model, stopTime === undefined ? {} : { stopTime });
  if (!['done', 'terminated'].includes(status)) return firstError(diagnostics);
  const reference = readCsv(await readFile(file, 'utf8'));
  const compared = (signals.length > 0 ? signals : reference.names).filter(
    (name) => name !== 'time' && reference.has(name),
  );
  if (compared.length === 0) return { code: 'missing-signal', message: `none in ${file}` };
  for (const name of compared) {
    if (!table.has(name)) return { code: 'missing-signal', message: name };
    const curve = { time: table.time, values: table.get(name) };
    const left = leavesTube({ time: reference.time, values: reference.get(name) }, curve);
    if (left !== undefined) return { code: 'differs', message: `${name} at ${left} s` };
  }
  return {};
}

function firstError(diagnostics) {
  const { code, message } = diagnostics.find(({ severity }) => severity === 'error') ?? {
    code: 'crash',
    message: 'failed without a message',
  };
  return { code, message };
}
