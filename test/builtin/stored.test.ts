/** Rows of results cost no derivatives where a component says that what it stores does not need them. */
import { expect, it } from 'vitest';
import { type BuiltIn, loadModel, simulate } from '../../src/index.ts';

/** x' = -x, which stores 2 x; counts how often derivatives are asked for. */
function decay(storesStates: boolean): {
  readonly builtIn: BuiltIn<undefined>;
  readonly calls: () => number;
} {
  let calls = 0;
  const builtIn: BuiltIn<undefined> = {
    name: 'decay',
    storesStates,
    allocate: () => undefined,
    begin(_, segment) {
      segment.state('x', { start: 1 });
      segment.variable('twice');
    },
    derivatives(_, { x, dx }) {
      calls++;
      dx[0] = -x[0]!;
    },
    variables(_, { x, w }) {
      w[0] = 2 * x[0]!;
    },
  };
  return { builtIn, calls: () => calls };
}

async function callsWith(storesStates: boolean, intervals: number): Promise<number> {
  const { builtIn, calls } = decay(storesStates);
  const text = `model Decay annotation(__Mutabor(builtIn = "decay")); end Decay;
    model M Decay d; end M;`;
  const model = loadModel(text, 'M', {}, { builtIns: [builtIn] });
  const { table } = await simulate(model, { stopTime: 1, tolerance: 1e-8, intervals });
  expect(table.value('d.twice', 1)).toBeCloseTo(2 * Math.exp(-1), 7);
  return calls();
}

it('rows cost derivatives only where a component needs them', async () => {
  expect(await callsWith(true, 1000)).toBe(await callsWith(true, 10));
  expect(await callsWith(false, 1000)).toBe((await callsWith(false, 10)) + 990);
});
