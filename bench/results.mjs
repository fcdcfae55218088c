// Results with many signals: a rod of 10,000 components, whose variables are arrays of signals. Time of what people do with them, and size of a row.
//
//   node bench/results.mjs        prints the rows
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { loadModel, simulate } from '../dist/index.js';
import { arrowParts } from '../dist/results/files/arrow.js';
import { csvParts } from '../dist/results/files/csv.js';
import { jsonParts } from '../dist/results/files/json.js';
import { matParts } from '../dist/results/files/mat.js';

const cells = 10_000;
const intervals = 100;

/** { signals, rows, bytes, work }: bytes of a row, and rows { what, ms } of what is done. */
export async function runResults() {
  const text = readFileSync(new URL('models/Rods.mo', import.meta.url), 'utf8');
  const options = { stopTime: 1e5, tolerance: 1e-6, intervals, method: 'bdf' };
  const { table } = await simulate(loadModel(text, 'Rods.Cells', { 'rod.n': cells }), options);
  const work = {
    'a signal by name': () => table.get('rod.cell[5000].T'),
    'an array': () => table.array('rod.cell.T'),
    'a hundredth of it': () => table.select(['rod.cell[1:100:10000].T']),
    'all names': () => table.with({}).names,
    CSV: () => drain(csvParts(table)),
    MATLAB: () => drain(matParts(table)),
    Arrow: () => drain(arrowParts(table)),
    JSON: () => drain(jsonParts(table)),
  };
  return {
    signals: table.size,
    rows: table.rowCount,
    bytes: rowBytes(table),
    work: Object.entries(work).map(([what, run]) => ({ what, ms: best(run) })),
  };
}

/** What a row takes: a double for every trajectory. */
function rowBytes(table) {
  const trajectories = new Set();
  for (let number = 0; number < table.size; number++) trajectories.add(table.reader.column(number).index);
  trajectories.delete(-1);
  return 8 * (1 + trajectories.size);
}

function drain(parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  return length;
}

function best(run, times = 2) {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < times; k++) {
    const started = performance.now();
    run();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(await runResults());
