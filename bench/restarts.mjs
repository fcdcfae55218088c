// What a full restart costs: built-in components that begin a new segment with another number of states, over and over again.
// The work of the component itself (`begin`) is timed by the component and taken off.
import { performance } from 'node:perf_hooks';
import { loadModel, simulate } from '../dist/index.js';

const restarts = 5000;

/** n, 2 n, n, 2 n, … states that all decay; the model around it has equations of its own. */
function changing(n, work) {
  return {
    name: 'changing',
    inputs: ['u'],
    outputs: { y: [] },
    allocate: () => ({ k: 0, size: 0 }),
    begin(memory, segment) {
      const started = performance.now();
      memory.size = n * (1 + (memory.k++ % 2));
      const before = segment.previous('x');
      segment.state('x', { start: Float64Array.from({ length: memory.size }, (_, i) => before?.[i] ?? 1) });
      segment.nextEvent(memory.k / restarts);
      work.ms += performance.now() - started;
    },
    stateOutputs(_, { x, y }) {
      y[0] = x[0];
    },
    derivatives(_, { x, u, dx }) {
      for (let i = 0; i < x.length; i++) dx[i] = u[0] - x[i];
    },
    event(_, { due, restart }) {
      if (due) restart();
    },
  };
}

const text = `
  model Changing
    input Real u;
    output Real y;
    annotation(__Mutabor(builtIn = "changing"));
  end Changing;
  model M
    Changing c(u = z);
    Real z(start = 0, fixed = true);
  equation
    der(z) = c.y - z;
  end M;`;

export async function runRestarts() {
  const rows = [];
  for (const n of [1, 10, 100, 1000]) {
    let best;
    for (let round = 0; round < 3; round++) {
      const work = { ms: 0 };
      const model = loadModel(text, 'M', {}, { builtIns: [changing(n, work)] });
      const { status, statistics, segments } = await simulate(model, { stopTime: 1, intervals: 1 });
      if (status !== 'done' || statistics.restarts !== restarts)
        throw new Error('the restarts did not happen');
      if (statistics.modesCompiled !== 1) throw new Error('code was made again');
      const micros = ((statistics.restartMs - work.ms) * 1e3) / restarts;
      const own = (work.ms * 1e3) / restarts;
      if (!best || micros < best.micros) best = { n, states: segments[0].states, micros, own };
    }
    rows.push(best);
  }
  return rows;
}

if (process.argv[1] === new URL(import.meta.url).pathname) console.table(await runRestarts());
