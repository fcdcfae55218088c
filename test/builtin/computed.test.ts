/** Outputs on which inputs act directly are computed again where something has changed, and only there. */
import { expect, test } from 'vitest';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

const source = `
model Part
  input Real u;
  output Real y;
  annotation(__Mutabor(builtIn = "part"));
end Part;
model M
  Part part(u = step + 0*time);
  discrete Real step(start = 3, fixed = true), seen(start = 0, fixed = true), again(start = 0, fixed = true);
equation
  when sample(0.5, 10) then
    step = 5;
  end when;
  when step > 4 then
    seen = part.y;
  end when;
  when seen > 4 then
    again = part.y + 1;
  end when;
end M;`;

interface Memory {
  gain: number;
  readonly calls: (readonly [time: number, input: number])[];
}

const part = (memory: Memory, changes: Partial<BuiltIn<Memory>> = {}): BuiltIn<Memory> => ({
  name: 'part',
  inputs: ['u'],
  outputs: { y: ['u'] },
  allocate: () => memory,
  begin: () => {},
  directOutput({ gain, calls }, { t, u, y }) {
    calls.push([t, u[0]!]);
    y[0] = gain * u[0]!;
  },
  ...changes,
});

const run = (builtIn: BuiltIn<Memory>) =>
  simulate(loadModel(source, 'M', {}, { builtIns: [builtIn as BuiltIn] }), { stopTime: 1, intervals: 4 });

test('what follows at an instant sees the outputs for the new inputs', async () => {
  const { table } = await run(part({ gain: 1, calls: [] }));
  expect([table.value('seen', 1), table.value('again', 1), table.value('part.y', 1)]).toEqual([5, 6, 5]);
  expect(table.value('part.y', 0.25)).toBe(3);
});

test('iterations of an instant do not compute what they know', async () => {
  const memory: Memory = { gain: 1, calls: [] };
  await run(part(memory));
  const inputs = memory.calls.filter(([time]) => time === 0.5).map(([, input]) => input);
  expect(inputs).toEqual([3, 5]);
});

test('an event that tells of a change lets the same inputs give another output', async () => {
  const { table } = await run(
    part(
      { gain: 1, calls: [] },
      {
        event(memory, { point, changed }) {
          if (point.t < 0.5 || memory.gain === 2) return;
          memory.gain = 2;
          changed();
        },
      },
    ),
  );
  expect(table.value('part.y', 1)).toBe(10);
});

test('so does a new segment', async () => {
  const { table } = await run(
    part(
      { gain: 1, calls: [] },
      {
        begin(memory, { time }) {
          memory.gain = time < 0.5 ? 1 : 2;
        },
        event({ gain }, { point, restart }) {
          if (point.t >= 0.5 && gain === 1) restart();
        },
      },
    ),
  );
  expect(table.value('part.y', 1)).toBe(10);
});
