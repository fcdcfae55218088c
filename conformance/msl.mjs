// The examples of the Modelica Standard Library: do they pass `check`, and do their results lie in the tubes of the references?
import { readFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { experimentOf } from '../dist/flat/experiment.js';
import { Library } from '../dist/model/library.js';
import { fileSystem, filesBelow } from './files.mjs';
import { runAll } from './pool.mjs';

/** So long may one example take. */
const SECONDS = 60;

export async function msl(folder, wanted) {
  const roots = (process.env.MODELICAPATH ?? '').split(delimiter).filter(Boolean);
  const examples = examplesOf(new Library({ files: fileSystem, roots }));
  if (examples.length === 0)
    throw new Error('MODELICAPATH names no folder with the Modelica Standard Library.');
  const references = folder ? await referencesIn(folder) : [];
  const jobs = [
    ...examples.map((name) => ({ kind: 'check', name, label: name, roots })),
    ...references.map((reference) => ({
      kind: 'compare',
      ...reference,
      label: `${reference.name} (reference)`,
      roots,
    })),
  ].filter(({ label }) => wanted(label));
  const reports = await runAll(jobs, SECONDS);
  return jobs.map(({ kind, name, label }, i) => {
    const { code, message } = reports[i];
    const right = kind === 'compare' ? 'matches' : 'passes';
    return {
      name: label,
      group: name
        .split('.')
        .slice(1, name.includes('.Mechanics.') || name.includes('.Electrical.') ? 3 : 2)
        .join('.'),
      passed: code === undefined,
      outcome: code ?? right,
      message,
    };
  });
}

/** Models and blocks of the library that can be simulated: those with a stop time. */
function examplesOf(library) {
  const models = (entity) =>
    library.nestedNames(entity).flatMap((name) => {
      const nested = library.nested(entity, name);
      if (!nested) return [];
      const { restriction, partial } = nested.definition;
      if (restriction === 'package') return models(nested);
      if (partial || !['model', 'block', 'class'].includes(restriction)) return [];
      return experimentOf(nested).stopTime === undefined ? [] : [nested.path];
    });
  const root = library.topLevel('Modelica');
  return root ? models(root) : [];
}

/**
 * Files of references with the class each belongs to, the signals that count, which are all where none are listed, and where the run
 * that made it stopped: the model may have got another stop time since. Other libraries that have references there do not count.
 */
async function referencesIn(folder) {
  const own = await filesBelow(join(folder, 'Modelica')).catch(() => filesBelow(folder));
  const files = own.filter((file) => file.endsWith('.csv'));
  if (files.length === 0) throw new Error(`There are no references in ${folder}.`);
  return Promise.all(
    files.sort().map(async (file) => {
      const beside = (name) => readFile(join(dirname(file), name), 'utf8').catch(() => '');
      const log = await beside('creation.txt');
      return {
        name: /modelName\s*=\s*"([^"]+)"/.exec(log)?.[1] ?? basename(file, '.csv'),
        file,
        stopTime: stated(log, 'StopTime'),
        signals: (await beside('comparisonSignals.txt'))
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter((line) => line !== '' && line !== 'time'),
      };
    }),
  );
}

/** A number that a log of creation states, in a line of its own; a comment may follow it. */
function stated(log, name) {
  const text = new RegExp(`^${name}\\s*=\\s*([-+.\\deE]+)`, 'm').exec(log)?.[1];
  return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
}
