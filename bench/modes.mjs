// Changes of mode: a circuit that is switched again and again among known modes, modes that are entered for the first time,
// and ladders of N independent switches, which have 2^N modes. Each run has a process of its own.
//
//   node bench/modes.mjs                    prints the rows
//   node bench/modes.mjs MODEL SIZE COUNT   one circuit, as JSON
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadModel, simulate } from '../dist/index.js';

/** Seconds between two changes; a step or two are taken in between. */
const interval = 1e-3;

/** Milliseconds. */
const warmUp = 4000;

/** The fastest run counts: others use the machine too. */
const repetitions = 4;

/** By model: the parameter that is its size, and the one that keeps it from being switched. */
const circuits = {
  Taps: { size: 'taps', still: 'turning' },
  Switches: { size: 'switches', still: 'toggling' },
};

/**
 * Rows { model, size, equations, states, modes, changes, known, difference, first, evaluation }. Microseconds: a change to a known
 * mode as the engine counts it, and as the difference to the same run without changes; milliseconds: a change to a new
 * mode; microseconds of one evaluation of the right-hand side, for comparison between machines.
 */
export function runModes() {
  return [
    measureApart('Taps', 20, 10_000),
    ...[10, 40, 160].map((size) => measureApart('Switches', size, 20 * size)),
  ];
}

function measureApart(model, size, changes) {
  const script = fileURLToPath(import.meta.url);
  const text = execFileSync(process.execPath, [script, model, size, changes], { encoding: 'utf8' });
  return JSON.parse(text);
}

async function measure(name, size, changes) {
  const text = readFileSync(new URL('models/Circuits.mo', import.meta.url), 'utf8');
  const { size: count, still } = circuits[name];
  const load = (values) => loadModel(text, `Circuits.${name}`, values);
  const options = { stopTime: interval * (changes + 0.5), intervals: 1, tolerance: 1e-4 };
  const switched = load({ [count]: size });
  const resting = load({ [count]: size, [still]: false });
  // The compilers and solvers are warm, as they are for every change but the first ones of a session.
  const until = performance.now() + warmUp;
  while (performance.now() < until) await simulate(switched, { ...options, stopTime: interval * 60.5 });
  const runs = [];
  for (let k = 0; k < repetitions; k++) {
    const { statistics: own } = check(await simulate(switched, options));
    const { statistics: without } = check(await simulate(resting, options));
    runs.push({ own, without });
  }
  const fastest = (value) => Math.min(...runs.map(value));
  const { own } = runs[0];
  return {
    model: name,
    size,
    equations: own.equations,
    states: own.states.length,
    modes: own.modesCompiled,
    changes: own.modeChanges,
    known: fastest((run) => (1e3 * run.own.knownChangeMs) / run.own.knownChanges),
    difference: fastest((run) => (1e3 * (run.own.simulateMs - run.without.simulateMs)) / run.own.modeChanges),
    first: fastest((run) => run.own.newChangeMs / (run.own.modeChanges - run.own.knownChanges)),
    evaluation: fastest((run) => (1e3 * run.without.simulateMs) / run.without.evaluations),
  };
}

function check(result) {
  if (result.status === 'done') return result;
  throw new Error(result.diagnostics.map((d) => d.message).join(' '));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [model, size, changes] = process.argv.slice(2);
  if (model) console.log(JSON.stringify(await measure(model, Number(size), Number(changes))));
  else for (const row of runModes()) console.log(row);
}
