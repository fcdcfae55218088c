/** Components without derivatives and indicators need their inputs at events alone: what they read is not computed at every evaluation. */
import { expect, test } from 'vitest';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

const source = `
model Listener
  input Real u;
  output Real heard;
  annotation(__Mutabor(builtIn = "listener"));
end Listener;
model Square
  input Real u;
  output Real y;
  annotation(__Mutabor(builtIn = "square"));
end Square;
model M
  Square square(u = x);
  Listener listener(u = square.y);
  Real x(start = 1, fixed = true);
equation
  der(x) = x;
end M;`;

/** The second takes what it hears at times 0.5 and 1; `more` are other members of it. */
async function run(more: Partial<BuiltIn> = {}) {
  let asked = 0;
  const seen: number[][] = [];
  const square: BuiltIn = {
    name: 'square',
    inputs: ['u'],
    outputs: { y: ['u'] },
    allocate: () => ({}),
    begin: () => {},
    directOutput(_, { u, y }) {
      asked++;
      y[0] = u[0]! ** 2;
    },
  };
  const heard = { value: 0 };
  const listener: BuiltIn = {
    name: 'listener',
    inputs: ['u'],
    outputs: { heard: [] },
    stepped: ['heard'],
    allocate: () => {
      heard.value = 0;
      return heard;
    },
    begin: (_, segment) => segment.nextEvent(0.5),
    stateOutputs: (_, { y }) => void (y[0] = heard.value),
    event(_, { point, before, due, nextEvent, changed }) {
      if (!due) return;
      seen.push([point.t, before[0]!, point.u[0]!]);
      heard.value = point.u[0]!;
      nextEvent(point.t + 0.5);
      changed();
    },
    ...more,
  };
  const { status, table, statistics } = await simulate(
    loadModel(source, 'M', {}, { builtIns: [square, listener] }),
    { stopTime: 1.25, intervals: 1, tolerance: 1e-9 },
  );
  expect(status).toBe('done');
  return { asked, seen, table, statistics };
}

test('inputs are right at events, and before them', async () => {
  const { seen, table } = await run();
  expect(seen.map(([time]) => time)).toEqual([0.5, 1]);
  for (const [time, before, now] of seen) {
    expect(before).toBeCloseTo(Math.exp(2 * time!), 7);
    expect(now).toBeCloseTo(Math.exp(2 * time!), 7);
  }
  expect(table.value('listener.heard', 0.75)).toBeCloseTo(Math.E, 7);
});

test('nothing is computed for them in between', async () => {
  const { asked, statistics } = await run();
  expect(statistics.evaluations).toBeGreaterThan(50);
  // Rows at the start, at both sides of the events, and at the end.
  expect(asked).toBeLessThan(20);
});

test('where there are indicators, they are known for those', async () => {
  const at: number[] = [];
  const { asked, statistics } = await run({
    begin(_, segment) {
      segment.indicators(1);
    },
    indicators: (_, { u, z }) => void (z[0] = u[0]! - 4),
    event: (_, { point, crossed }) => void (crossed.length > 0 && at.push(point.t)),
  });
  expect(at).toHaveLength(1);
  expect(at[0]).toBeCloseTo(Math.log(2), 7);
  expect(asked).toBeGreaterThan(statistics.steps);
});

test('where there are states, they are known for their derivatives', async () => {
  const { table } = await run({
    begin: (_, segment) => void segment.state('s', { start: 0 }),
    derivatives: (_, { u, dx }) => void (dx[0] = u[0]!),
    event: () => {},
  });
  expect(table.value('listener.s', 1.25)).toBeCloseTo((Math.exp(2.5) - 1) / 2, 6);
});
