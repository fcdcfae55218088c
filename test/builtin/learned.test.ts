/** Components with many states that do not say what depends on what: the pattern of their Jacobian is found by itself. */
import { expect, test } from 'vitest';
import { type BuiltIn, banded, loadModel, scattered, simulate } from '../../src/index.ts';

const n = 1000;

/** A rod between 1 and what the model says, with conductances of 10,000. */
const rod: BuiltIn<undefined> = {
  name: 'rod',
  inputs: ['T'],
  outputs: { Q: [] },
  allocate: () => undefined,
  begin: (_, segment) => segment.state('x', { start: 0, size: n }),
  stateOutputs: (_, { x, y }) => void (y[0] = 1e4 * x[n - 1]!),
  derivatives(_, { x, u, dx }) {
    for (let i = 0; i < n; i++)
      dx[i] = 1e4 * ((i > 0 ? x[i - 1]! : 1) - 2 * x[i]! + (i < n - 1 ? x[i + 1]! : u[0]!));
  },
};

const declared: BuiltIn<undefined> = {
  ...rod,
  pattern: () => ({
    derivativesByStates: banded(n, 1, 1),
    derivativesByInputs: scattered(1, [[n - 1, 0]]),
    outputsByStates: scattered(n, [[0, n - 1]]),
  }),
};

/** The far end is a store that the rod heats. */
const text = `
  model Rod input Real T; output Real Q; annotation(__Mutabor(builtIn = "rod")); end Rod;
  model M
    Rod rod(T = s);
    Real s(start = 0, fixed = true);
  equation
    der(s) = rod.Q - 1e4*s;
  end M;`;

const run = async (builtIn: BuiltIn<undefined>, method: 'auto' | 'bdf') => {
  const model = loadModel(text, 'M', {}, { builtIns: [builtIn] });
  return simulate(model, { stopTime: 100, tolerance: 1e-8, intervals: 2, method });
};

test.each(['auto', 'bdf'] as const)(
  'as good as a pattern that is declared, with the method %s',
  async (method) => {
    const [own, other] = [await run(rod, method), await run(declared, method)];
    expect([own.status, other.status]).toEqual(['done', 'done']);
    for (const name of ['s', 'rod.x[1]', 'rod.x[500]', 'rod.x[1000]'])
      expect(own.table.value(name, 100)).toBeCloseTo(other.table.value(name, 100), 7);
    // One turn through all states to learn, then a few evaluations for each Jacobian.
    expect(own.statistics.evaluations - other.statistics.evaluations).toBeLessThan(3 * n);
    expect(own.statistics.steps).toBe(other.statistics.steps);
  },
);
