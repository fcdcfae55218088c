// Models of bench/models that are not stiff by JavaScript packages: odex, dopri and numeric, at tolerance 1e-6 with 500 output intervals. A peer that is not
// installed is left out.
//
//   node bench/peers.mjs        prints the rows
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const TOLERANCE = 1e-6;
const INTERVALS = 500;
/** Repetitions go on for this CPU time; the fastest one counts. */
const SECONDS = 1;

/** The variables whose final values the rows hold, by model, in this order. */
export const shown = {
  LotkaVolterra: ['prey', 'predators'],
  Ladder: ['i[1]', 'v[1]', 'i[500]', 'v[500]'],
};

function lotkaVolterra(_t, y, dy) {
  dy[0] = y[0] * (1.1 - 0.4 * y[1]);
  dy[1] = y[1] * (0.1 * y[0] - 0.4);
}

/** Sections of the ladder; y[2 j] is the current, y[2 j + 1] the voltage of section j. */
const SECTIONS = 500;

function ladder(t, y, dy) {
  const L = 1e-6;
  const C = 1e-9;
  const R = 0.05;
  const last = 2 * SECTIONS - 1;
  dy[0] = (Math.sin(2 * Math.PI * 1e6 * t) - y[1] - (R + 30) * y[0]) / L;
  for (let k = 2; k < last; k += 2) dy[k] = (y[k - 1] - y[k + 1] - R * y[k]) / L;
  for (let k = 1; k < last; k += 2) dy[k] = (y[k - 1] - y[k + 1]) / C;
  dy[last] = (y[last - 1] - y[last] / 50) / C;
}

const models = [
  { name: 'LotkaVolterra', f: lotkaVolterra, start: [10, 5], stop: 1000, places: [0, 1] },
  {
    name: 'Ladder',
    f: ladder,
    start: new Array(2 * SECTIONS).fill(0),
    stop: 5e-5,
    places: [0, 1, 2 * SECTIONS - 2, 2 * SECTIONS - 1],
  },
];

/** How each package is called; a solver returns the values at the end. */
const packages = {
  odex(odex, { f, start, stop }) {
    const solver = new odex.Solver(start.length);
    solver.relativeTolerance = TOLERANCE;
    solver.absoluteTolerance = TOLERANCE;
    solver.maxSteps = 1e6;
    solver.denseOutput = true;
    const slope = (t, y) => {
      const dy = new Array(y.length);
      f(t, y, dy);
      return dy;
    };
    return solver.solve(
      slope,
      0,
      start,
      stop,
      solver.grid(stop / INTERVALS, () => {}),
    ).y;
  },
  dopri(dopri, { f, start, stop }) {
    const control = { atol: TOLERANCE, rtol: TOLERANCE, maxSteps: 1e6 };
    const solution = dopri.integrateDopri(f, [...start], 0, stop, control);
    const times = Array.from({ length: INTERVALS + 1 }, (_, k) => (stop * k) / INTERVALS);
    return solution(times)[INTERVALS];
  },
  numeric(numeric, { f, start, stop }) {
    const slope = (t, y) => {
      const dy = new Array(y.length);
      f(t, y, dy);
      return dy;
    };
    const solution = numeric.dopri(0, stop, start, slope, TOLERANCE, 1e6);
    solution.at(Array.from({ length: INTERVALS + 1 }, (_, k) => (stop * k) / INTERVALS));
    return solution.y.at(-1);
  },
};

/** Rows { name, peer, seconds, values }: CPU seconds of one run and the values of the model's `shown` at the end. */
export function runPeers() {
  const require = createRequire(import.meta.url);
  return Object.entries(packages).flatMap(([peer, solve]) => {
    const library = load(require, peer);
    if (library === undefined) return [];
    return models.map((model) => {
      const { seconds, values } = time(() => solve(library, model));
      return { name: model.name, peer, seconds, values: model.places.map((place) => values[place]) };
    });
  });
}

function load(require, name) {
  try {
    return require(name);
  } catch {
    return undefined;
  }
}

/** The CPU time of the fastest repetition. */
function time(solve) {
  let seconds = Number.POSITIVE_INFINITY;
  let values = [];
  let total = 0;
  for (let count = 0; total < SECONDS || count < 3; count++) {
    const from = process.cpuUsage();
    values = solve();
    const { user, system } = process.cpuUsage(from);
    total += (user + system) / 1e6;
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  return { seconds, values };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, peer, seconds, values } of runPeers()) {
    console.log(
      `${name.padEnd(14)} ${peer.padEnd(34)} ${(1e3 * seconds).toFixed(2).padStart(9)} ms  ${values.join(' ')}`,
    );
  }
}
