// Whole simulations of the models of bench/models, from Modelica text, as users run them: method `auto`, tolerance 1e-6,
// 500 output intervals. Each model runs in a process of its own, so that no model spoils the compiled code of another.
//
//   node bench/whole.mjs             prints the rows
//   node bench/whole.mjs NAME        one model, as JSON
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadModel, simulate } from '../dist/index.js';
import { shown } from './peers.mjs';

const tolerance = 1e-6;
const intervals = 500;
/** Repetitions go on for this long; the fastest one counts. */
const milliseconds = 2000;
/** But at least this often: the first runs are spent on compiling the solvers themselves. */
const repetitions = 12;

/** Rows { name, seconds, ready, values }: integration of one run, from text to consistent initial values, final values. */
export function runWhole() {
  const script = fileURLToPath(import.meta.url);
  return Object.keys(shown).map((name) =>
    JSON.parse(execFileSync(process.execPath, [script, name], { encoding: 'utf8' })),
  );
}

async function measure(name) {
  const text = readFileSync(new URL(`models/${name}.mo`, import.meta.url), 'utf8');
  const begun = performance.now();
  const model = loadModel(text);
  let result = await simulate(model, { tolerance, intervals });
  const ready = performance.now() - begun - result.statistics.simulateMs;
  let best = result.statistics.simulateMs;
  for (let k = 0; k < repetitions || performance.now() - begun < milliseconds; k++) {
    result = await simulate(model, { tolerance, intervals });
    best = Math.min(best, result.statistics.simulateMs);
  }
  if (result.status !== 'done')
    throw new Error(`${name}: ${result.diagnostics.map((d) => d.message).join(' ')}`);
  const final = result.table.final();
  return {
    name,
    seconds: best / 1000,
    ready: ready / 1000,
    values: shown[name].map((signal) => final.get(signal)),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name] = process.argv.slice(2);
  if (name) console.log(JSON.stringify(await measure(name)));
  else for (const row of runWhole()) console.log(row);
}
