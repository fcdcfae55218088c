/** Relations that only events change: nothing looks at them inside steps, and they follow at events. */
import { expect, test } from 'vitest';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

const source = (relation: string, varying: string) => `
model Switch
  output Real y;
  annotation(__Mutabor(builtIn = "switch"));
end Switch;
model Count
  input Real u;
  output Real y;
  annotation(__Mutabor(builtIn = "count"));
end Count;
model M
  Switch on;
  Count count(u = x);
  parameter Real limit = 0.5;
  Real doubled = 2*on.y, slow = ${varying};
  Boolean up = ${relation};
  Real x(start = 0, fixed = true);
equation
  der(x) = (if up then 1 else 0) + 1e-30*count.y;
end M;`;

/** The first gives 0, and 1 from time 0.5 on; the second counts how often it is asked. */
async function run(relation: string, varying = '0') {
  let asked = 0;
  const builtIns: BuiltIn[] = [
    {
      name: 'switch',
      outputs: { y: [] },
      stepped: ['y'],
      allocate: () => ({ on: 0 }),
      begin: (_, segment) => segment.nextEvent(0.5),
      stateOutputs(memory, { y }) {
        y[0] = (memory as { on: number }).on;
      },
      event(memory, { due, changed }) {
        if (!due) return;
        (memory as { on: number }).on = 1;
        changed();
      },
    },
    {
      name: 'count',
      inputs: ['u'],
      outputs: { y: ['u'] },
      allocate: () => ({}),
      begin: () => {},
      directOutput(_, { u, y }) {
        asked++;
        y[0] = u[0]!;
      },
    },
  ];
  const { status, table, statistics } = await simulate(
    loadModel(source(relation, varying), 'M', {}, { builtIns }),
    { stopTime: 1, intervals: 1, tolerance: 1e-10 },
  );
  expect(status).toBe('done');
  return { asked, steps: statistics.steps, end: table.value('x', 1) };
}

test.each(['on.y > 0.5', 'doubled > 2*limit', 'doubled + limit > 1.5 and on.y >= 1'])(
  'of a stepped output: %s',
  async (relation) => {
    const { end, asked, steps } = await run(relation);
    expect(end).toBeCloseTo(0.5, 12);
    const { asked: always, steps: same } = await run('on.y + 1e-30*slow > 0.5', 'sin(x)');
    expect(steps).toBe(same);
    // A look at the end of every step.
    expect(always - asked).toBeGreaterThanOrEqual(steps - 2);
  },
);

test('one that depends on a state besides is looked at', async () => {
  // x grows from 0.5 on with the relation, so that it ends where x is 0.25.
  const { end } = await run('on.y > 0.5 and x < 0.25');
  expect(end).toBeCloseTo(0.25, 9);
});

test('one of time is looked at', async () => {
  const { end } = await run('on.y + slow > 0.25', 'time');
  expect(end).toBeCloseTo(0.75, 9);
});
