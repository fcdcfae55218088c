// A heated rod of n cells as a built-in component, as an array equation, and as n instances of a cell: time from text to
// initial values, and time of the simulation. Each way has a process of its own.
//
//   node bench/rods.mjs           prints the rows
//   node bench/rods.mjs WAY N     one way, as JSON
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { banded, loadModel, scattered, simulate } from '../dist/index.js';

/** The fastest run counts: others use the machine too, and the first ones are compiled while they run. */
const repetitions = 8;

const options = { stopTime: 1e5, tolerance: 1e-6, intervals: 10, method: 'bdf' };

/** By way: how n is set, and the name of the last cell. */
const ways = {
  BuiltIn: { set: (n) => ({ 'rod.sizes': `{${n}}` }), last: (n) => `rod.T[${n}]` },
  Array: { set: (n) => ({ 'rod.n': n }), last: (n) => `rod.T[${n}]` },
  Cells: { set: (n) => ({ 'rod.n': n }), last: (n) => `rod.cell[${n}].T` },
};

/** Rows { way, n, ready, seconds, evaluations, value }: seconds, and the temperature of the last cell. */
export function runRods(sizes = [100, 10_000]) {
  return Object.keys(ways).flatMap((way) => sizes.map((n) => measureApart(way, n)));
}

function measureApart(way, n) {
  const script = fileURLToPath(import.meta.url);
  return JSON.parse(execFileSync(process.execPath, [script, way, n], { encoding: 'utf8' }));
}

async function measure(way, n) {
  const text = readFileSync(new URL('models/Rods.mo', import.meta.url), 'utf8');
  const { set, last } = ways[way];
  const best = { way, n, ready: Infinity, seconds: Infinity };
  for (let k = 0; k < repetitions; k++) {
    const started = performance.now();
    const flat = loadModel(text, `Rods.${way}`, set(n), { builtIns: [rod] });
    const flattened = performance.now();
    const { status, statistics, table } = await simulate(flat, options);
    if (status !== 'done') throw new Error(`${way} with ${n} cells does not run`);
    const { translateMs, compileMs, simulateMs, evaluations } = statistics;
    best.ready = Math.min(best.ready, (flattened - started + translateMs + compileMs) / 1e3);
    best.seconds = Math.min(best.seconds, simulateMs / 1e3);
    best.evaluations = evaluations;
    best.value = table.get(last(n)).at(-1);
  }
  return best;
}

/** The cells in JavaScript, as somebody would write them. */
const rod = {
  name: 'rod',
  inputs: ['a.Q_flow', 'b.Q_flow'],
  outputs: { Ta: [], Tb: [], G: [] },
  allocate(instance) {
    const [L, A, rho, lambda, c] = ['L', 'A', 'rho', 'lambda', 'c'].map((name) => instance.number(name));
    const n = instance.numbers('sizes')[0];
    return { n, start: instance.numbers('T0')[0], C: (c * rho * A * L) / n, G: (lambda * A * n) / L };
  },
  begin({ n, start }, segment) {
    segment.state('T', { start: new Float64Array(n).fill(start), nominal: 300, derivative: true });
  },
  stateOutputs({ n, G }, { x, y }) {
    y[0] = x[0];
    y[1] = x[n - 1];
    y[2] = 2 * G;
  },
  derivatives({ n, C, G }, { x, u, dx }) {
    dx[0] = (u[0] - G * (x[0] - x[1])) / C;
    for (let i = 1; i < n - 1; i++) dx[i] = (G * (x[i - 1] - 2 * x[i] + x[i + 1])) / C;
    dx[n - 1] = (G * (x[n - 2] - x[n - 1]) + u[1]) / C;
  },
  pattern: ({ n }) => ({
    derivativesByStates: banded(n, 1, 1),
    derivativesByInputs: scattered(2, [
      [0, 0],
      [n - 1, 1],
    ]),
    outputsByStates: scattered(n, [
      [0, 0],
      [1, n - 1],
    ]),
  }),
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [way, n] = process.argv.slice(2);
  if (way) console.log(JSON.stringify(await measure(way, Number(n))));
  else for (const row of runRods()) console.log(row);
}
